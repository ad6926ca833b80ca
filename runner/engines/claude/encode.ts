import type { ApprovalAnswer, ApprovalRequest } from '../../../protocol/approval.ts';
import type { LaunchId } from '../../../protocol/ids.ts';
import type { EngineItem, EngineLaunch, EngineTurn } from '../engine.ts';
import { type ImageSlot, imageSlot } from '../images.ts';
import { asPlainText } from '../plain-text.ts';
import { encodeDecision } from './approvals.ts';
import { turnUuid } from '../ids.ts';
import { patch } from '../draft.ts';
import type { Draft } from './state.ts';
import { denyTool, setWaiting } from './tools.ts';

/** How the process is started that is spoken to in lines, each of them JSON, both ways. */
export const SPEAKS_LINES = [
  '-p',
  '--input-format',
  'stream-json',
  '--output-format',
  'stream-json',
  '--verbose',
] as const;

/** Which conversation it goes on with: its own, a copy of another one, or none yet. */
export function conversationWords({ resume, forkOf, engineSessionId }: EngineLaunch): string[] {
  const own = [resume ? '--resume' : '--session-id', engineSessionId];
  return forkOf === undefined ? own : ['--resume', forkOf, '--fork-session', ...own];
}

/**
 * Lines to the engine. Each is one `JSON.stringify`, which never contains a line break: a single
 * malformed line ends the process.
 */
const write = (value: unknown, images: readonly ImageSlot[] = []): EngineItem => ({
  kind: 'write',
  line: JSON.stringify(value),
  ...(images.length > 0 && { images }),
});

const controlRequest = (
  id: string,
  subtype: string,
  rest: Readonly<Record<string, unknown>> = {},
): EngineItem => write({ type: 'control_request', request_id: id, request: { subtype, ...rest } });

/** The answer to a request of the engine's. */
export const writeResponse = (engineRequestId: string, response: unknown): EngineItem =>
  write({
    type: 'control_response',
    response: { subtype: 'success', request_id: engineRequestId, response },
  });

export const initializeId = (launchId: LaunchId): string => `initialize-${launchId}`;
export const baselineId = (launchId: LaunchId): string => `baseline-${launchId}`;
const CONFIRM = 'confirm-';

/** Before the first turn: who pays, what the conversation has cost already, and what we are asked. */
export function openingLines(
  launchId: LaunchId,
  hooks: Readonly<Record<string, unknown>>,
): EngineItem[] {
  return [
    controlRequest(initializeId(launchId), 'initialize', { hooks }),
    controlRequest(baselineId(launchId), 'get_usage'),
  ];
}

/** Hands over an instruction under a UUID that the engine repeats. */
export function instruct(draft: Draft, turn: EngineTurn): void {
  const uuid = turnUuid(turn.turnId);
  patch(draft, {
    pending: [...draft.state.pending, { turnId: turn.turnId, uuid, confirmed: false }],
  });
  draft.items.push(userLine(turn));
}

/** What a person says, under the UUID of its turn. */
export function userLine({ turnId, text, images = [] }: EngineTurn): EngineItem {
  const slots = images.map((image) =>
    imageSlot(image, (data) => ({
      type: 'image',
      source: { type: 'base64', media_type: image.type, data },
    })),
  );
  const content = [{ type: 'text', text: asPlainText(text) }, ...slots.map(({ token }) => token)];
  return write(
    {
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: null,
      uuid: turnUuid(turnId),
    },
    slots,
  );
}

/**
 * Answers a request that the engine still waits for; nothing is written otherwise. A harmless
 * request follows, because the engine does not confirm an answer but reads its lines in order:
 * the reply to the second line proves that the first was taken, however long the tool then runs.
 */
export function answer(draft: Draft, request: ApprovalRequest, given: ApprovalAnswer): void {
  const approval = draft.state.approvals[request.requestId];
  if (!approval) return;
  draft.items.push(
    writeResponse(approval.engineRequestId, encodeDecision(approval, given)),
    controlRequest(`${CONFIRM}${approval.requestId}`, 'mcp_status'),
  );
  patch(draft, {
    approvals: {
      ...draft.state.approvals,
      [approval.requestId]: { ...approval, answered: given.decision },
    },
  });
  if (given.decision === 'allow') setWaiting(draft, approval.toolId, false);
  else if (approval.toolId !== null) denyTool(draft, approval.toolId);
}

/** The request whose answer a control reply confirms; null for other replies. */
export function confirmedRequestId(controlId: string): string | null {
  return controlId.startsWith(CONFIRM) ? controlId.slice(CONFIRM.length) : null;
}

export function interrupt(draft: Draft): void {
  const { open, counter } = draft.state;
  patch(draft, { counter: counter + 1, open: open && { ...open, interrupting: true } });
  draft.items.push(controlRequest(`interrupt-${draft.state.launchId}-${counter + 1}`, 'interrupt'));
}

/** Refuses a request of the engine that we do not serve, so that it does not wait for ever. */
export function refuseRequest(draft: Draft, engineRequestId: string, subtype: string): void {
  draft.items.push(
    write({
      type: 'control_response',
      response: {
        subtype: 'error',
        request_id: engineRequestId,
        error: `This client does not serve ${subtype}.`,
      },
    }),
  );
}
