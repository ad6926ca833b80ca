import type { ApprovalAnswer, ApprovalRequest } from '../../../protocol/approval.ts';
import type { LaunchId } from '../../../protocol/ids.ts';
import { patch } from '../draft.ts';
import type { EngineItem, EngineTurn } from '../engine.ts';
import { namingImages } from '../images.ts';
import { asPlainText } from '../plain-text.ts';
import type { Draft } from './state.ts';
import { setWaiting } from './tools.ts';

/** The longest that it waits for an answer; it would be a minute (seen on 0.24.4). */
export const ANSWER_WITHIN_MS = 600_000;

const DENIED = 'The person in charge of this session said no to this call.';

const write = (value: unknown): EngineItem => ({ kind: 'write', line: JSON.stringify(value) });

const ask = (id: string, request: Readonly<Record<string, unknown>>): EngineItem =>
  write({ type: 'control_request', request_id: id, request });

const openingId = (launchId: LaunchId): string => `initialize-${launchId}`;
const CONFIRM = 'confirm-';

/** Makes it speak by the protocol, and wait for a person as long as it can. */
export const openingLine = (launchId: LaunchId): EngineItem =>
  ask(openingId(launchId), {
    subtype: 'initialize',
    timeout: { canUseTool: ANSWER_WITHIN_MS },
  });

/** Which request of ours a reply answers: the opening, one about an approval, or neither. */
export function answeredBy(
  replyId: string,
  launchId: LaunchId,
): { opening: true } | { confirms: string } | null {
  if (replyId === openingId(launchId)) return { opening: true };
  return replyId.startsWith(CONFIRM) ? { confirms: replyId.slice(CONFIRM.length) } : null;
}

/** Hands an instruction over. It is taken up when the one before it has ended. */
export function instruct(draft: Draft, { turnId, text, images }: EngineTurn): void {
  const { pending, engineSessionId } = draft.state;
  // It takes no other part of a message than text, so that images are named by their paths.
  const said = asPlainText(namingImages(text, images));
  patch(draft, { pending: [...pending, turnId] });
  draft.items.push(
    write({
      type: 'user',
      message: { role: 'user', content: [{ type: 'text', text: said }] },
      parent_tool_use_id: null,
      session_id: engineSessionId,
    }),
  );
}

/**
 * Answers a request that it still waits for; nothing is written otherwise. A harmless request
 * follows: it reads its lines in order, so that the reply to the second proves that the first was
 * taken, however long the tool then runs.
 */
export function answer(draft: Draft, request: ApprovalRequest, given: ApprovalAnswer): void {
  const approval = draft.state.approvals[request.requestId];
  if (!approval) return;
  const { engineRequestId: request_id } = approval;
  const response =
    given.decision === 'allow'
      ? { behavior: 'allow' }
      : { behavior: 'deny', message: given.message?.trim() || DENIED };
  draft.items.push(
    write({ type: 'control_response', response: { subtype: 'success', request_id, response } }),
    ask(`${CONFIRM}${approval.requestId}`, { subtype: 'get_available_models' }),
  );
  const answered = { ...approval, answered: given.decision };
  patch(draft, { approvals: { ...draft.state.approvals, [approval.requestId]: answered } });
  if (given.decision === 'allow') setWaiting(draft, approval.toolId, false);
}

export function interrupt(draft: Draft): void {
  const { open, requests, launchId } = draft.state;
  patch(draft, { requests: requests + 1, open: open && { ...open, interrupting: true } });
  draft.items.push(ask(`interrupt-${launchId}-${requests + 1}`, { subtype: 'interrupt' }));
}

/** Refuses a request that nothing here serves, so that it does not wait for ever. */
export function refuse(draft: Draft, request_id: string, subtype: string): void {
  const error = `This client does not serve ${subtype}.`;
  draft.items.push(
    write({ type: 'control_response', response: { subtype: 'error', request_id, error } }),
  );
}
