import type { ActKind } from '../../../protocol/act.ts';
import { classifyCommand } from '../../acts/classify.ts';
import { emit, patch } from '../draft.ts';
import { approvalId } from '../ids.ts';
import { summarise } from '../summary.ts';
import { capHead } from '../text-cap.ts';
import { ANSWER_WITHIN_MS } from './encode.ts';
import type { PermissionLine } from './lines.ts';
import type { Draft } from './state.ts';
import { calledBy, commandOf, setWaiting } from './tools.ts';

/** Before it gives up by itself, so that the end of the wait is the session's and told as that. */
const EXPIRES_AFTER_MS = ANSWER_WITHIN_MS - 10_000;

/** It asks before it calls a tool. */
export function requestApproval(draft: Draft, line: PermissionLine): void {
  const { request_id: engineRequestId, request: asked } = line;
  const { approvals, engineSessionId, open } = draft.state;
  const requestId = approvalId(engineSessionId, engineRequestId);
  if (approvals[requestId]) return;
  const toolId = asked.tool_use_id ?? null;
  const { name, input } = calledBy({ name: asked.tool_name, input: asked.input });
  const command = commandOf(name, input);
  const kinds = command === null ? [] : classifyCommand(command, draft.look);
  const approval = { requestId, engineRequestId, toolId, answered: null };
  patch(draft, { approvals: { ...approvals, [requestId]: approval } });
  setWaiting(draft, toolId, true);
  emit(draft, {
    type: 'approval/requested',
    request: {
      requestId,
      turnId: open?.turnId ?? null,
      toolId,
      kind: name === 'exit_plan_mode' ? 'plan' : 'tool',
      toolName: name,
      input: capHead(JSON.stringify(input ?? {}, null, 2)),
      summary: summarise(name, input),
      acts: [...new Set<ActKind>(kinds.map(({ kind }) => kind))],
      questions: [],
      // What it suggests are the two answers themselves.
      suggestions: [],
      requestedAt: draft.at,
      expiresAt: draft.at + EXPIRES_AFTER_MS,
    },
  });
}
