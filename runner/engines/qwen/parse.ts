import { patch } from '../draft.ts';
import { ignoreUnknown } from '../ignored.ts';
import { approvalId } from '../ids.ts';
import { resolveApproval, settleApprovals } from '../open-approvals.ts';
import { completeBlock, readPiece } from '../pieces.ts';
import { type Readers, readTypedLine } from '../typed-lines.ts';
import { requestApproval } from './approvals.ts';
import { answeredBy, refuse } from './encode.ts';
import {
  type AssistantLine,
  assistantLine,
  cancelLine,
  initLine,
  isToolResult,
  permissionLine,
  requestLine,
  responseLine,
  resultLine,
  streamLine,
  systemLine,
  userLine,
} from './lines.ts';
import type { Draft } from './state.ts';
import { finishTool, startTool } from './tools.ts';
import { announceReady, beginTurn, readResult, setAsking } from './turns.ts';
import { readCounts, tellCall, UNNAMED_MODEL } from './usage.ts';

/** Reads one line of the engine. Never throws: what cannot be read becomes a notice. */
export function readLine(draft: Draft, line: string): void {
  readTypedLine(draft, line, READERS);
}

const READERS: Readers<Draft> = {
  system(draft, raw) {
    const init = initLine.safeParse(raw);
    if (!init.success) {
      const line = systemLine.safeParse(raw);
      if (!line.success || line.data.subtype === 'init') return false;
      // It tells by the way that it asks its model again, which is no news to anybody.
      if (line.data.subtype !== 'retry') ignoreUnknown(draft, `system/${line.data.subtype}`);
      return true;
    }
    // It says so at the beginning of each turn.
    const { session_id: engineSessionId, model } = init.data;
    patch(draft, { engineSessionId, model: draft.state.model ?? model ?? null });
    announceReady(draft);
    beginTurn(draft);
    return true;
  },
  stream_event(draft, raw) {
    const line = streamLine.safeParse(raw);
    if (!line.success) return false;
    const { type, delta } = line.data.event;
    const turnId = draft.state.open?.turnId ?? null;
    if (type === 'content_block_stop') completeBlock(draft);
    if (delta?.type === 'text_delta')
      readPiece(draft, { kind: 'answer', turnId, text: delta.text ?? '' });
    if (delta?.type === 'thinking_delta')
      readPiece(draft, { kind: 'thinking', turnId, text: delta.thinking ?? '' });
    return true;
  },
  assistant(draft, raw) {
    const line = assistantLine.safeParse(raw);
    if (!line.success) return false;
    // Its words came in pieces.
    completeBlock(draft);
    readAnswer(draft, line.data);
    return true;
  },
  user(draft, raw) {
    const line = userLine.safeParse(raw);
    if (!line.success) return false;
    const results = line.data.message.content.filter(isToolResult);
    const ids = results.map((result) => result.tool_use_id);
    settleApprovals(draft, ({ toolId }) => toolId !== null && ids.includes(toolId));
    for (const result of results) finishTool(draft, result);
    // The model is asked about what its tools gave.
    const { tools, open } = draft.state;
    if (Object.keys(tools).length === 0 && !open?.interrupting) setAsking(draft, true);
    return true;
  },
  control_request(draft, raw) {
    const permission = permissionLine.safeParse(raw);
    if (permission.success) {
      requestApproval(draft, permission.data);
      return true;
    }
    const line = requestLine.safeParse(raw);
    if (line.success) refuse(draft, line.data.request_id, line.data.request.subtype);
    return line.success;
  },
  control_response(draft, raw) {
    const line = responseLine.safeParse(raw);
    if (!line.success) return false;
    const about = answeredBy(line.data.response.request_id, draft.state.launchId);
    if (about && 'opening' in about) announceReady(draft);
    else if (about) settleApprovals(draft, ({ requestId }) => requestId === about.confirms);
    return true;
  },
  control_cancel_request(draft, raw) {
    const line = cancelLine.safeParse(raw);
    if (!line.success) return false;
    const id = approvalId(draft.state.engineSessionId, line.data.request_id);
    const approval = draft.state.approvals[id];
    if (approval) resolveApproval(draft, approval, 'withdrawn');
    return true;
  },
  result(draft, raw) {
    const line = resultLine.safeParse(raw);
    if (line.success) readResult(draft, line.data);
    return line.success;
  },
};

/** An answer is told block by block; the figures of its call stand at the last of them. */
function readAnswer(draft: Draft, { message, parent_tool_use_id: parent }: AssistantLine): void {
  const counts = readCounts(message.usage);
  if (counts && counts.input + counts.output > 0) {
    tellCall(draft, message.model || (draft.state.model ?? UNNAMED_MODEL), counts);
    if (!parent) setAsking(draft, false);
  }
  for (const block of message.content) if (block.type === 'tool_use') startTool(draft, block);
}
