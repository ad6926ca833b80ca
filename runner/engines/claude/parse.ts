import { readCancel, readControlRequest, readControlResponse } from './control.ts';
import { ignoreGarbage, ignoreUnknown } from '../ignored.ts';
import {
  assistantLine,
  lifecycleLine,
  rateLimitLine,
  resetLine,
  resultLine,
  streamLine,
  userLine,
} from './lines.ts';
import { readAssistant, readStream } from './messages.ts';
import { readResult } from './result.ts';
import { settleApprovals } from '../open-approvals.ts';
import { emit, patch } from '../draft.ts';
import type { Draft } from './state.ts';
import { readSystem } from './system.ts';
import { readToolResults } from './tools.ts';
import { beginNamedTurn, completeTurn, confirmTurn, dropTurn, markBegun } from './turns.ts';
import { type Readers, readTypedLine } from '../typed-lines.ts';

/** Reads one line of the engine. Never throws: what cannot be read becomes a notice. */
export function readLine(draft: Draft, line: string): void {
  if (!draft.state.dead) readTypedLine(draft, line, READERS, ignoreMisshapen);
}

const READERS: Readers<Draft> = {
  system: readSystem,
  control_request: readControlRequest,
  control_response: readControlResponse,
  control_cancel_request: readCancel,
  assistant(draft, raw) {
    const line = assistantLine.safeParse(raw);
    if (line.success) readAssistant(draft, line.data);
    return line.success;
  },
  stream_event(draft, raw) {
    const line = streamLine.safeParse(raw);
    if (line.success) readStream(draft, line.data);
    return line.success;
  },
  user(draft, raw) {
    const line = userLine.safeParse(raw);
    if (!line.success) return false;
    if (line.data.isReplay) beginNamedTurn(draft, line.data.uuid);
    const answered = toolIdsOf(line.data.message.content);
    settleApprovals(
      draft,
      (approval) => approval.toolId !== null && answered.includes(approval.toolId),
    );
    readToolResults(draft, line.data);
    return true;
  },
  command_lifecycle(draft, raw) {
    const line = lifecycleLine.safeParse(raw);
    if (!line.success) return false;
    const { command_uuid: uuid, state } = line.data;
    if (state === 'queued') confirmTurn(draft, uuid);
    if (state === 'completed') completeTurn(draft, uuid);
    if (state === 'started') {
      beginNamedTurn(draft, uuid);
      markBegun(draft);
    }
    if (state === 'cancelled' || state === 'discarded' || state === 'refused')
      dropTurn(draft, uuid, state);
    return true;
  },
  result(draft, raw) {
    const line = resultLine.safeParse(raw);
    if (line.success) readResult(draft, line.data);
    return line.success;
  },
  rate_limit_event(draft, raw) {
    const line = rateLimitLine.safeParse(raw);
    if (!line.success) return false;
    const { status, resetsAt } = line.data.rate_limit_info;
    emit(draft, {
      type: 'rateLimit/reported',
      status,
      resetsAt: typeof resetsAt === 'number' ? Math.round(resetsAt * 1000) : null,
    });
    return true;
  },
  conversation_reset(draft, raw) {
    const line = resetLine.safeParse(raw);
    // A new conversation counts from zero again.
    if (line.success)
      patch(draft, { engineSessionId: line.data.new_conversation_id, baseline: {} });
    return line.success;
  },
};

/** A `system` line of an unknown subtype is a newer engine's; any other misfit is a broken line. */
function ignoreMisshapen(draft: Draft, line: string, type: string, raw: unknown): void {
  const subtype =
    typeof raw === 'object' && raw !== null && 'subtype' in raw ? raw.subtype : undefined;
  if (type === 'system' && typeof subtype === 'string' && subtype !== 'init')
    ignoreUnknown(draft, `system/${subtype}`);
  else ignoreGarbage(draft, line);
}

function toolIdsOf(content: unknown): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) =>
    typeof part === 'object' &&
    part !== null &&
    'tool_use_id' in part &&
    typeof part.tool_use_id === 'string'
      ? [part.tool_use_id]
      : [],
  );
}
