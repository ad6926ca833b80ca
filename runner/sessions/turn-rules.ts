import type { ApprovalAnswer } from '../../protocol/approval.ts';
import { beginTold, followTold } from '../../protocol/brief.ts';
import type { EngineEvent, EventOf } from '../../protocol/engine-event.ts';
import type { RequestId, TurnId } from '../../protocol/ids.ts';
import { forgetApproval, isResolvedAgain, isSameAnswer, withExpiry } from './approval-steps.ts';
import { haltAfter, spend, watchBudget } from './budget-rules.ts';
import { interruptTurn, withReason } from './endings.ts';
import { becameReady } from './launch-rules.ts';
import { answerHeld } from './held-rules.ts';
import { followUnkept, learnKept } from './lost-conversation.ts';
import { answerByPolicy } from './policy-rules.ts';
import { beganTurn, endedTurn } from './measures.ts';
import { tellCalls } from './meter-rules.ts';
import { claimed, claimEnded, tellUnclaimed } from './push-rules.ts';
import { halt } from './halt.ts';
import { answerPrompt, settlePrompt } from './prompt-rules.ts';
import { proveRecords } from './record-rules.ts';
import { emit, patch, type Draft } from './session-io.ts';
import { hasDollars } from './spent.ts';
import { steer } from './steer-rules.ts';
import { findLeaving, bringBack, endProcess, goOn, queueTurn, refuse } from './session-steps.ts';
import type { QueuedTurn } from './session-state.ts';

/** Takes an instruction; the same one again changes nothing. */
export function instruct(draft: Draft, turn: QueuedTurn, intoTurn: boolean): void {
  const { knownTurns } = draft.state;
  if (knownTurns.includes(turn.turnId)) return;
  const leaving = findLeaving(draft);
  if (leaving) return refuse(draft, leaving);
  if (intoTurn && !draft.config.capabilities.steer) return refuse(draft, 'steer_unsupported');
  if (intoTurn && steer(draft, turn)) return;
  queueTurn(draft, turn);
  goOn(draft);
}

/** Passes an event of the engine on, and learns from it. */
export function engineEvent(draft: Draft, told: EngineEvent): void {
  if (told.type === 'approval/resolved' && isResolvedAgain(draft.state, told.requestId)) return;
  const event =
    told.type === 'approval/requested' ? withExpiry(draft, told) : withReason(draft, told);
  emit(draft, event);
  const story = followTold(draft.state.story, event);
  if (story !== draft.state.story) patch(draft, { story });
  learnKept(draft, event);
  switch (event.type) {
    case 'engine/ready':
      patch(draft, { payer: event.payer });
      becameReady(draft, event.engineSessionId);
      return goOn(draft);
    case 'turn/delivered':
      if (event.delivery === 'confirmed') confirm(draft, event.turnId);
      return;
    case 'turn/started':
      confirm(draft, event.turnId);
      followMemory(draft, event.turnId);
      patch(draft, { openTurnId: event.turnId, conversationBegun: true });
      beganTurn(draft);
      return goOn(draft);
    case 'turn/ended':
      return turnEnded(draft, event);
    case 'act/seen':
      return claimed(draft, event.act);
    case 'act/ended':
      return claimEnded(draft, event.actId);
    case 'tool/started':
      return draft.state.toolTold ? undefined : patch(draft, { toolTold: true });
    case 'usage/recorded':
      return spend(draft, event.entries);
    case 'approval/requested':
      patch(draft, {
        pending: [...draft.state.pending, { request: event.request, answer: null }],
      });
      return answerByPolicy(draft, event.request);
    case 'approval/resolved':
      return forgetApproval(draft, event.requestId);
    default:
      return;
  }
}

/** What was told once is part of the conversation that the engine resumes, where it can. */
function followMemory(draft: Draft, turnId: TurnId): void {
  const { forgets = false, held, story, conversationBegun } = draft.state;
  if (!draft.config.capabilities.resume) return;
  if (!forgets) {
    followUnkept(draft, turnId, !conversationBegun);
    return patch(draft, { story: [] });
  }
  if (held?.turnId === turnId) patch(draft, { story: beginTold(story, held) });
}

function confirm(draft: Draft, turnId: TurnId): void {
  const { held } = draft.state;
  if (held?.turnId === turnId && !held.confirmed)
    patch(draft, { held: { ...held, confirmed: true } });
}

function turnEnded(draft: Draft, event: EventOf<'turn/ended'>): void {
  tellUnclaimed(draft);
  settlePrompt(draft);
  const { held, phase } = draft.state;
  const ok = event.outcome === 'ok';
  patch(draft, {
    openTurnId: draft.state.openTurnId === event.turnId ? null : draft.state.openTurnId,
    held: held?.turnId === event.turnId ? null : held,
    steered: draft.state.steered.filter(({ turnId }) => turnId !== event.turnId),
    completedTurns: draft.state.completedTurns + (ok ? 1 : 0),
    bootError: draft.state.everReady ? null : event.error,
  });
  endedTurn(draft);
  tellCalls(draft, event.turnId);
  bringBack(draft, event.turnId);
  const granted = held?.turnId === event.turnId && hasDollars(held.cap);
  const spent = haltAfter(draft, event.turnId, granted);
  if (phase.kind === 'interrupting') {
    // However the turn came to its end, the next one must not begin over the budget.
    if (spent && phase.ending.why !== 'stop') halt(draft, spent.reason, spent.message);
    return endProcess(draft, phase.ending);
  }
  if (ok && proveRecords(draft, event) === 'halted') return;
  if (spent) return halt(draft, spent.reason, spent.message);
  goOn(draft);
}

/**
 * The engine wrote something, and all of it has been looked at.
 */
export function spoke(draft: Draft): void {
  const { held, lastOutputAt, launch } = draft.state;
  // Stored with the rest, so not for every line.
  if (draft.nowMs - lastOutputAt > launch.noOutputMs / 100)
    patch(draft, { lastOutputAt: draft.nowMs });
  if (held && !held.spokeSince) patch(draft, { held: { ...held, spokeSince: true } });
  watchBudget(draft);
}

export function answer(draft: Draft, requestId: RequestId, given: ApprovalAnswer): void {
  const { pending, pastRequests, phase } = draft.state;
  if (answerHeld(draft, requestId, given)) return;
  const found = pending.find((candidate) => candidate.request.requestId === requestId);
  if (!found)
    return refuse(
      draft,
      pastRequests.includes(requestId) ? 'approval_expired' : 'request_not_found',
    );
  if (phase.kind !== 'ready') return refuse(draft, 'approval_expired');
  const { expiresAt } = found.request;
  if (expiresAt !== null && draft.nowMs > expiresAt) return refuse(draft, 'approval_expired');
  if (found.typed && !found.answer) return answerPrompt(draft, found, given);
  if (found.answer) {
    // Written once and not yet confirmed: the pipe keeps order, so writing again adds nothing.
    return isSameAnswer(found.answer, given) ? undefined : refuse(draft, 'approval_answered');
  }
  patch(draft, {
    pending: pending.map((held) => (held === found ? { ...held, answer: given } : held)),
    lastOutputAt: draft.nowMs,
  });
  draft.effects.push({ kind: 'answer', request: found.request, answer: given });
}

export function interrupt(draft: Draft): void {
  const { openTurnId, phase } = draft.state;
  if (openTurnId === null) return refuse(draft, 'nothing_running');
  if (phase.kind !== 'ready') return;
  if (!draft.config.capabilities.interrupt) return refuse(draft, 'unsupported');
  interruptTurn(draft);
}
