import { BLIND, type Look } from '../acts/sight.ts';
import { compact } from './compact-rules.ts';
import { capped, estimate, spend, watchBudget } from './budget-rules.ts';
import { adopt } from './adopt-rules.ts';
import { exit, shutdown, stop, wake } from './end-rules.ts';
import { heldSettled, holdPush, loseHeld } from './held-rules.ts';
import { prompted } from './prompt-rules.ts';
import { pushed } from './push-rules.ts';
import { bootFailed, fatal, prepared, refused, spawned, submitted } from './launch-rules.ts';
import {
  emit,
  patch,
  type Draft,
  type SessionEffect,
  type SessionInput,
  type StartInput,
} from './session-io.ts';
import type { SessionConfig, SessionState } from './session-state.ts';
import { broughtBack, goOn, keepBelowLimits, queueTurn } from './session-steps.ts';
import { haltForBreaches, resumeHalted } from './breach-rules.ts';
import { NOTHING_SEEN, witnessed } from './witness-rules.ts';
import { restart } from './restart-rules.ts';
import { keptGrew, spoolGrew } from './spool-rules.ts';
import { unsteered } from './steer-rules.ts';
import { release, takeOver, terminalClosed, terminalOpened } from './takeover-rules.ts';
import { conversationOf, loseConversation } from './lost-conversation.ts';
import { proveActs } from './record-rules.ts';
import { called, questionOver, routed } from './meter-rules.ts';
import { unreached } from './network-rules.ts';
import { answer, engineEvent, instruct, interrupt, spoke } from './turn-rules.ts';

export type SessionDecision = { state: SessionState; effects: readonly SessionEffect[] };

/** Opens a session, or launches one again that is over, with what it knows of its conversation. */
export function openSession(
  input: StartInput,
  previous: SessionState | null,
  nowMs: number,
  config: SessionConfig,
): SessionDecision {
  const state: SessionState = {
    sessionId: input.sessionId,
    launch: input.launch,
    launchId: input.launchId,
    launchedAt: nowMs,
    startCommandId: input.commandId,
    epoch: Math.max(input.epoch, previous?.epoch ?? 0),
    phase: { kind: 'preparing' },
    afterwards: null,
    everReady: false,
    bootFailures: 0,
    bootError: null,
    spawns: previous?.spawns ?? 0,
    adopted: false,
    takeover: null,
    queue: [],
    held: null,
    steered: [],
    openTurnId: null,
    knownTurns: previous?.knownTurns ?? [],
    pending: [],
    pastRequests: previous?.pastRequests ?? [],
    ...(previous?.heldPushes && { heldPushes: previous.heldPushes }),
    bringingBack: previous?.bringingBack ?? null,
    bringingNext: previous?.bringingNext ?? null,
    interruptAsked: null,
    lastOutputAt: nowMs,
    halted: false,
    closing: false,
    spent: previous?.spent ?? {},
    ...(previous?.measured && { measured: previous.measured }),
    ...(previous?.limitsTold && { limitsTold: previous.limitsTold }),
    ...(previous?.budgetTold !== undefined && { budgetTold: previous.budgetTold }),
    model: previous?.model ? { ...previous.model, overBudget: false } : null,
    unpricedModel: null,
    estimateMicroUsd: 0,
    recordsProven: previous?.recordsProven ?? false,
    ...(previous?.unmeasuredTurn && { unmeasuredTurn: previous.unmeasuredTurn }),
    toolTold: previous ? (previous.toolTold ?? true) : false,
    actlessTurn: previous?.actlessTurn ?? null,
    ...conversationOf(input, previous, nowMs),
    completedTurns: 0,
  };
  const draft: Draft = { state, effects: [], nowMs, config, look: BLIND };
  // What an earlier launch carried out is not carried out again, whoever asks.
  const { firstTurn } = input;
  if (firstTurn && !state.knownTurns.includes(firstTurn.turnId)) queueTurn(draft, firstTurn);
  draft.effects.push({ kind: 'prepare' });
  // Nobody is at it any more, and the first turn waits for it.
  const { bringingBack } = draft.state;
  if (bringingBack !== null) draft.effects.push({ kind: 'bringBack', turnId: bringingBack });
  return { state: draft.state, effects: draft.effects };
}

/**
 * Decides what one thing that happened means for a session. Pure: the same state, input, time,
 * configuration and files that `look` shows always lead to the same state and effects.
 */
export function decideSession(
  state: SessionState,
  input: SessionInput,
  nowMs: number,
  config: SessionConfig,
  look: Look = BLIND,
): SessionDecision {
  const draft: Draft = { state, effects: [], nowMs, config, look };
  apply(draft, input);
  return { state: draft.state, effects: draft.effects };
}

function apply(draft: Draft, input: SessionInput): void {
  switch (input.kind) {
    case 'prepared':
      return prepared(draft, input.events);
    case 'refused':
      return refused(draft, input.refusal);
    case 'spawnFailed':
      return bootFailed(draft, { exitCode: null, signal: null, stderrTail: [] }, input.message);
    case 'spawned':
      return spawned(draft, input);
    case 'submitted':
      return submitted(draft, input.lines);
    case 'routed':
      return routed(draft, input.route);
    case 'called':
      called(draft, input);
      return watchBudget(draft);
    case 'belowLimits':
      return keepBelowLimits(draft, input.message);
    case 'unreached':
      return unreached(draft, input.hosts);
    case 'brainAnswered':
      for (const usage of input.entries)
        emit(draft, { type: 'brain/answered', step: input.step, usage });
      return spend(draft, input.entries);
    case 'questionOver':
      return questionOver(draft);
    case 'event':
      return engineEvent(draft, input.event);
    case 'estimate':
      return estimate(draft, input);
    case 'capped':
      return capped(draft);
    case 'fatal':
      return fatal(draft, input.error);
    case 'spoke':
      return spoke(draft);
    case 'spoolGrew':
      return spoolGrew(draft, input.bytes);
    case 'keptGrew':
      return keptGrew(draft, input.chars);
    case 'exited':
      return exit(draft, input.exit);
    case 'pushed':
      holdPush(draft, input.push);
      return pushed(draft, input.push);
    case 'pushSettled':
      return heldSettled(draft, input.requestId, input.outcomes);
    case 'checkoutGone':
      if (input.sealed) loseConversation(draft, 'seal');
      return loseHeld(draft);
    case 'instruct':
      return instruct(draft, input.turn, input.steer === true);
    case 'forgets':
      return patch(draft, { forgets: true });
    case 'unsteered':
      return unsteered(draft, input.turnId);
    case 'answer':
      return answer(draft, input.requestId, input.answer);
    case 'prompted':
      return prompted(draft, input.asked);
    case 'interrupt':
      return interrupt(draft);
    case 'stop':
      return stop(draft);
    case 'restart':
      return restart(draft);
    case 'takeOver':
      return takeOver(draft, input.wish);
    case 'release':
      return release(draft);
    case 'resume':
      return resumeHalted(draft);
    case 'compact':
      return compact(draft, input.story);
    case 'terminalOpened':
      return terminalOpened(draft, input);
    case 'terminalClosed':
      return terminalClosed(draft, input.end, input.settled);
    case 'shutdown':
      return shutdown(draft);
    case 'wake':
      return wake(draft, input.stderrTail);
    case 'returned':
      for (const event of input.events) emit(draft, event);
      return proveActs(draft, input.events, false);
    case 'broughtBack': {
      const { turnId, report = null } = input;
      const seen = turnId ? witnessed(draft, turnId, report) : NOTHING_SEEN;
      const events = [...input.events, ...seen.events];
      for (const event of events) emit(draft, event);
      proveActs(draft, events, true);
      haltForBreaches(draft, seen.breaches);
      return broughtBack(draft);
    }
    case 'adopt':
      return adopt(draft, input.process);
    case 'caughtUp':
      return goOn(draft);
    default:
      return input satisfies never;
  }
}
