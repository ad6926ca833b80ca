import type { BrainKey } from '../../protocol/brain-keys.ts';
import type { EngineEvent } from '../../protocol/engine-event.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import { brainKeyId, sessionId, type TurnId, turnId } from '../../protocol/ids.ts';
import { type Evidence, pilotBounds, pilotSpec, type PilotSpec } from '../../protocol/pilot.ts';
import { type PilotView, pilotView } from '../../protocol/pilot-view.ts';
import type { BrainTools } from '../../workers/pilot/brains/brain.ts';
import { begin } from '../../workers/pilot/core/begin.ts';
import { decide } from '../../workers/pilot/core/decide.ts';
import type {
  Observation,
  PilotEvent,
  PilotState,
  TurnFacts,
} from '../../workers/pilot/core/state.ts';

export const PILOTED = sessionId.parse('ses_01piloted');
export const FIRST_TURN = turnId.parse('trn_01first');

export function aSpec(
  over: { mode?: PilotSpec['mode']; bounds?: Partial<PilotSpec['bounds']> } = {},
): PilotSpec {
  return pilotSpec.parse({
    mode: over.mode ?? 'pilot',
    brain: { kind: 'checklist', steps: [{ title: 'Tests', check: 'npm test' }] },
    bounds: over.bounds ?? {},
  });
}

/** A key of a model API as it is listed. */
export const aBrainKey = (over: Partial<BrainKey> = {}): BrainKey => ({
  keyId: brainKeyId.parse('bky_1'),
  name: 'work',
  provider: 'anthropic',
  baseUrl: 'https://api.example.com/v1',
  createdAt: 1,
  price: null,
  ...over,
});

/** What a brain may use: checks as `runCheck` says, no model, the time 1,000. */
export function someTools(over: Partial<BrainTools> = {}): BrainTools {
  return {
    runCheck: async () => anEvidence(),
    readRecord: async () => [],
    openKey: () => Promise.reject(new PilothouseError('brain_key_not_found')),
    askEngine: () => Promise.reject(new PilothouseError('brain_engine_unable')),
    reserveCall: async () => undefined,
    releaseCall: async () => undefined,
    recordUsage: async () => undefined,
    nowMs: () => 1_000,
    ...over,
  };
}

/** A run that has just begun, at the time 0. */
export function aRun(spec: PilotSpec = aSpec()): PilotState {
  return begin({
    type: 'began',
    at: 0,
    sessionId: PILOTED,
    spec,
    objective: 'Fix it',
    turnId: FIRST_TURN,
  });
}

export function anObservation(over: Partial<Observation> = {}): Observation {
  return {
    session: 'working',
    sessionReason: null,
    failure: null,
    resetsAt: null,
    takenOver: false,
    turn: 'started',
    busy: false,
    asks: false,
    ...over,
  };
}

export function someFacts(over: Partial<TurnFacts> = {}): TurnFacts {
  return {
    turnId: FIRST_TURN,
    outcome: 'ok',
    failure: null,
    message: null,
    resetsAt: null,
    changes: 'changed',
    tip: null,
    acts: 0,
    position: 10,
    ...over,
  };
}

export function anEvidence(over: Partial<Evidence> = {}): Evidence {
  const base = { title: 'Tests', command: 'npm test', durationMs: 5, tail: 'it fails' };
  return { ...base, passed: false, exitCode: over.passed ? 0 : 1, ...over };
}

/** Applies events one after the other, a second apart from the state's own last. */
export function after(state: PilotState, ...events: EventWithoutTime[]): PilotState {
  return events.reduce(
    (held, event, index) => decide(held, { at: (index + 1) * 1_000, ...event }),
    state,
  );
}

type WithoutTime<E> = E extends unknown ? Omit<E, 'at'> & { at?: number } : never;
export type EventWithoutTime = WithoutTime<PilotEvent>;

export const ended: EventWithoutTime = {
  type: 'observed',
  seen: anObservation({ session: 'idle', turn: 'ended' }),
};
export const judged = (over: Partial<TurnFacts> = {}): EventWithoutTime => ({
  type: 'judged',
  facts: someFacts(over),
});
export const failing = (tail = 'it fails', instruction = 'Correct it'): EventWithoutTime => ({
  type: 'decided',
  decision: { next: 'instruct', instruction, reason: 'It fails.', evidence: [] },
  witnessed: [anEvidence({ tail })],
});
export const passing: Extract<EventWithoutTime, { type: 'decided' }> = {
  type: 'decided',
  decision: { next: 'finish', reason: 'All pass.', evidence: [] },
  witnessed: [anEvidence({ passed: true })],
};
/** The instruction that the state wants handed over was taken. */
export function sent(state: PilotState): PilotState {
  if (state.effect?.do !== 'instruct') throw new Error(`nothing is sent while ${state.status}`);
  return after(state, { type: 'instructed', turnId: state.effect.turnId });
}

/** The Pilot of a session, as it is read, while its second turn runs. */
export const aPilotView = (over: Partial<PilotView> = {}): PilotView =>
  pilotView.parse({
    sessionId: 'ses_pilot1',
    mode: 'pilot',
    brain: 'checklist',
    status: 'waiting_turn',
    reason: 'The engine works.',
    hold: null,
    objective: 'Make the tests pass',
    steps: [{ title: 'Tests', check: 'npm test' }],
    bounds: pilotBounds.parse({}),
    step: 7,
    turns: 2,
    openTurnId: 'trn_1',
    proposal: null,
    until: null,
    pausing: false,
    policy: { mode: 'pr', version: 0 },
    startedAt: 1,
    updatedAt: 2,
    finishedAt: null,
    ...over,
  });

/** What a turn of a long conversation comes to. */
export const readAgain = (turnId: TurnId): EngineEvent => ({
  type: 'usage/recorded',
  turnId,
  entries: [
    {
      model: 'm',
      provenance: 'reported',
      payer: 'api-key',
      inputTokens: 1,
      outputTokens: 1,
      cacheReadTokens: 300_000,
      cacheWriteTokens: 0,
      microUsd: 400_000,
    },
  ],
});
