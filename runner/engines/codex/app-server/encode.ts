import type { ApprovalAnswer, ApprovalRequest } from '../../../../protocol/approval.ts';
import type { EngineTurn } from '../../engine.ts';
import { ownEntry } from '../../../acts/own.ts';
import { patch } from '../../draft.ts';
import { rpcNotification, rpcReply, rpcRequest } from '../../json-rpc.ts';
import { holdTurn } from '../turns.ts';
import type { Draft } from './state.ts';
import { withdrawTurn } from './turns.ts';

/** The first line of a process; the thread follows when it is answered. */
export const openingLine = () =>
  rpcRequest('initialize', 'initialize', {
    clientInfo: { name: 'pilothouse', title: 'Pilothouse', version: '1' },
    capabilities: null,
  });

/**
 * Opens the thread. Its policy asks for every change of a file and for every command but the few
 * that only read; the person is the guard, whoever else the configuration names as reviewer. A thread that
 * begins with more than reading makes codex write into the person's configuration that its directory
 * is trusted (seen on 0.171.0): it begins with less, and each turn brings what it needs.
 */
export function openThread(draft: Draft): void {
  const { threadId, resumed, directory, model, policy } = draft.state;
  const params = {
    cwd: directory,
    approvalPolicy: 'untrusted',
    approvalsReviewer: 'user',
    sandbox: 'read-only',
    ...(model && { model }),
    ...(policy && { developerInstructions: policy }),
  };
  draft.items.push(
    rpcNotification('initialized'),
    resumed && threadId !== null
      ? rpcRequest('thread', 'thread/resume', { threadId, excludeTurns: true, ...params })
      : rpcRequest('thread', 'thread/start', params),
  );
}

/** Hands over an instruction, or keeps it until there is a thread. */
export function instruct(draft: Draft, turn: EngineTurn): void {
  holdTurn(draft, turn.turnId);
  patch(draft, { waiting: turn, engineTurnId: null, toldWhenCut: false });
  if (draft.state.ready) sendWaiting(draft);
}

/**
 * The id of the request is the turn's own: its answer, or its refusal, says whose it is. What a
 * person allows would fail in a sandbox at the first commit or push, so the turn has none.
 */
export function sendWaiting(draft: Draft): void {
  const { waiting, threadId } = draft.state;
  if (!waiting) return;
  patch(draft, { waiting: null });
  if (draft.state.turn?.interrupting) return withdrawTurn(draft);
  draft.items.push(
    rpcRequest(`turn:${waiting.turnId}`, 'turn/start', {
      threadId,
      clientUserMessageId: waiting.turnId,
      input: inputOf(waiting),
      sandboxPolicy: { type: 'dangerFullAccess' },
    }),
  );
}

/** What a person says and shows, in the app-server’s own form: it reads the files itself. */
const inputOf = ({ text, images = [] }: EngineTurn) => [
  { type: 'text', text },
  ...images.map(({ path }) => ({ type: 'localImage', path })),
];

/**
 * Puts an instruction into the turn under way, if that is still the one that it is meant for: the
 * answer says whether it was.
 */
export function steer(draft: Draft, turn: EngineTurn): void {
  const { turnId } = turn;
  const { threadId, engineTurnId } = draft.state;
  if (engineTurnId === null) return void draft.items.push({ kind: 'unsteered', turnId });
  draft.items.push(
    rpcRequest(`steered:${turnId}`, 'turn/steer', {
      threadId,
      clientUserMessageId: turnId,
      expectedTurnId: engineTurnId,
      input: inputOf(turn),
    }),
  );
}

/**
 * Answers a request that the engine still waits for. It has no place for a person's words with a
 * denial: they are put into the turn instead, where the model reads them before it goes on.
 */
export function answer(draft: Draft, request: ApprovalRequest, given: ApprovalAnswer): void {
  const approval = ownEntry(draft.state.approvals, request.requestId);
  if (!approval || approval.answered !== null) return;
  const { decision, suggestion } = given;
  const words = decision === 'deny' ? given.message?.trim() : undefined;
  const allowed = suggestion === null ? 'accept' : 'acceptForSession';
  draft.items.push(
    rpcReply(approval.rpcId, { decision: decision === 'allow' ? allowed : 'decline' }),
  );
  const { threadId, engineTurnId, approvals } = draft.state;
  if (words && engineTurnId) {
    const input = [{ type: 'text', text: words }];
    draft.items.push(
      rpcRequest('steer', 'turn/steer', { threadId, expectedTurnId: engineTurnId, input }),
    );
  }
  patch(draft, {
    approvals: { ...approvals, [approval.requestId]: { ...approval, answered: decision } },
  });
}

/** Asks the engine to end its turn: at once, or as soon as the turn has the name that it goes by. */
export function interrupt(draft: Draft): void {
  const { turn } = draft.state;
  patch(draft, { turn: turn && { ...turn, interrupting: true } });
  askToEnd(draft);
}

/** Asks for it where the turn has a name: the engine gives one as it begins. */
export function askToEnd(draft: Draft): void {
  const { threadId, engineTurnId, interrupts } = draft.state;
  if (engineTurnId === null) return;
  patch(draft, { interrupts: interrupts + 1 });
  const params = { threadId, turnId: engineTurnId };
  draft.items.push(rpcRequest(`interrupt:${interrupts + 1}`, 'turn/interrupt', params));
}
