import type {
  CancelNotification,
  InitializeRequest,
  LoadSessionRequest,
  NewSessionRequest,
  PromptRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import type { ApprovalAnswer, ApprovalRequest } from '../../../protocol/approval.ts';
import { ownEntry } from '../../acts/own.ts';
import { notice, patch } from '../draft.ts';
import type { EngineTurn } from '../engine.ts';
import { imageSlot, namingImages } from '../images.ts';
import { rpcNotification, rpcReply, rpcRequest } from '../json-rpc.ts';
import { asPlainText } from '../plain-text.ts';
import type { AcpState, Draft, OpenApproval } from './state.ts';
import { withdrawTurn } from './turns.ts';

const PROTOCOL_VERSION = 1;

/** The first line. Files and commands are the agent's own business: we serve neither. */
export const openingLine = () =>
  rpcRequest('initialize', 'initialize', {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: 'pilothouse', title: 'Pilothouse', version: '1' },
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  } satisfies InitializeRequest);

/** Opens the conversation: anew, or an earlier one by the milder of the ways that the agent has. */
export function openSession(draft: Draft, can: { resume: boolean; load: boolean }): boolean {
  const { resumed, sessionId, directory: cwd } = draft.state;
  if (!resumed || sessionId === null) {
    const params: NewSessionRequest = { cwd, mcpServers: [] };
    draft.items.push(rpcRequest('session', 'session/new', params));
    return true;
  }
  if (!can.resume && !can.load) return false;
  const params: LoadSessionRequest = { sessionId, cwd, mcpServers: [] };
  draft.items.push(rpcRequest('session', can.resume ? 'session/resume' : 'session/load', params));
  return true;
}

/** Hands over an instruction, or keeps it until there is a session. */
export function instruct(draft: Draft, { turnId, text, images }: EngineTurn): void {
  patch(draft, {
    waiting: { turnId, text, ...(images && { images }) },
    ended: [],
    turn: {
      turnId,
      begun: false,
      startedAt: draft.at,
      interrupting: false,
      spoke: false,
      acts: 0,
      error: null,
    },
  });
  if (draft.state.ready) sendWaiting(draft);
}

export function sendWaiting(draft: Draft): void {
  const { waiting, sessionId } = draft.state;
  if (!waiting || sessionId === null) return;
  patch(draft, { waiting: null });
  if (draft.state.turn?.interrupting) return withdrawTurn(draft);
  const { text, images = [] } = waiting;
  const seen = draft.state.seesImages === true;
  const slots = (seen ? images : []).map((image) =>
    imageSlot(
      image,
      (data) =>
        ({ type: 'image', mimeType: image.type, data }) satisfies PromptRequest['prompt'][number],
    ),
  );
  const said = asPlainText(seen ? text : namingImages(text, images));
  const prompt = [{ type: 'text', text: said }, ...slots.map(({ token }) => token)];
  const request = rpcRequest(`turn:${waiting.turnId}`, 'session/prompt', { sessionId, prompt });
  draft.items.push({ ...request, ...(slots.length > 0 && { images: slots }) });
  askTaken(draft, `taken:${waiting.turnId}`);
}

/**
 * The protocol confirms nothing before its work is done. Lines are read in order: the answer to a
 * further request, whatever it is, proves that the line before it was taken. A method that begins
 * with `_` is nobody's, so that every agent refuses it at once.
 */
function askTaken(draft: Draft, id: string): void {
  draft.items.push(rpcRequest(id, '_pilothouse/taken', {}));
}

/** Answers a request that the agent still waits for: with an option of the kind that is meant. */
export function answer(draft: Draft, request: ApprovalRequest, given: ApprovalAnswer): void {
  const approval = ownEntry(draft.state.approvals, request.requestId);
  if (!approval || approval.answered !== null) return;
  const option = chooseOption(approval, given);
  const outcome: RequestPermissionResponse['outcome'] = option
    ? { outcome: 'selected', optionId: option.optionId }
    : { outcome: 'cancelled' };
  draft.items.push(rpcReply(approval.rpcId, { outcome } satisfies RequestPermissionResponse));
  askTaken(draft, `answered:${approval.requestId}`);
  // Without an option that allows it once, nothing wider is chosen for the person.
  const decision = option ? given.decision : 'deny';
  const { approvals } = draft.state;
  patch(draft, {
    approvals: { ...approvals, [approval.requestId]: { ...approval, answered: decision } },
  });
  if (given.decision === 'deny' && given.message?.trim()) {
    const message =
      'This engine takes no words with a denial. Send them as an instruction once its turn is over.';
    notice(draft, 'warning', 'message_lost', message);
  }
}

/** The options that allow more than this once, as they are offered to a person. */
export const wideOptions = (options: OpenApproval['options']) =>
  options.filter(({ kind }) => kind === 'allow_always');

/** By its kind, never by its place: some agents offer the widest allowance first. */
function chooseOption({ options }: OpenApproval, { decision, suggestion }: ApprovalAnswer) {
  const ofKind = (kind: string) => options.find((option) => option.kind === kind);
  if (decision === 'deny') return ofKind('reject_once') ?? ofKind('reject_always');
  return suggestion === null ? ofKind('allow_once') : wideOptions(options)[suggestion];
}

/** Asks the agent to end its turn; open requests are withdrawn with it, as the protocol demands. */
export function interrupt(draft: Draft): void {
  const { turn, sessionId, waiting } = draft.state;
  patch(draft, { turn: turn && { ...turn, interrupting: true } });
  // What waits for the session is withdrawn when that is open, and the agent hears nothing of it.
  if (sessionId === null || waiting) return;
  const params: CancelNotification = { sessionId };
  draft.items.push(rpcNotification('session/cancel', params));
  for (const approval of unanswered(draft.state))
    draft.items.push(rpcReply(approval.rpcId, { outcome: { outcome: 'cancelled' } }));
}

const unanswered = ({ approvals }: AcpState) =>
  Object.values(approvals).filter(({ answered }) => answered === null);
