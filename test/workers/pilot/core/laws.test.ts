import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LOCAL_ACTOR } from '../../../../protocol/ids.ts';
import { isPilotOver } from '../../../../protocol/pilot.ts';
import { decide } from '../../../../workers/pilot/core/decide.ts';
import type { PilotEvent, PilotState } from '../../../../workers/pilot/core/state.ts';
import {
  anEvidence,
  anObservation,
  aRun,
  aSpec,
  someFacts,
} from '../../../support/pilot-builders.ts';

const SESSIONS = [
  'working',
  'idle',
  'parked',
  'provider_failed',
  'halted',
  'taken_over',
  'lost',
] as const;
const seen = fc.record({
  session: fc.constantFrom(...SESSIONS),
  turn: fc.constantFrom('none', 'absent', 'accepted', 'started', 'ended', 'undelivered', 'unknown'),
  busy: fc.boolean(),
  takenOver: fc.boolean(),
  asks: fc.boolean(),
  failure: fc.constantFrom(null, 'rate_limited', 'auth_missing'),
} as const);
const ask = fc.oneof(
  fc.record({ action: fc.constant('conversation' as const), beginsAnew: fc.boolean() }),
  fc.record({ action: fc.constantFrom('pause', 'resume') } as const),
  fc.record({ action: fc.constant('objective' as const), objective: fc.constantFrom('A', 'B') }),
  fc.record({
    action: fc.constant('confirm' as const),
    step: fc.nat(40),
    instruction: fc.constant('Do'),
  }),
);

/** What may arrive at any time: right, late, doubled, or meant for another state. */
const input = fc.oneof(
  fc.record({
    type: fc.constant('observed' as const),
    seen: seen.map((over) => anObservation(over)),
  }),
  fc.record({
    type: fc.constant('judged' as const),
    facts: fc
      .record({
        outcome: fc.constantFrom('ok', 'failed', 'interrupted'),
        acts: fc.nat(1),
        failure: fc.constantFrom(null, 'overloaded'),
      } as const)
      .map(someFacts),
  }),
  fc.record({
    type: fc.constant('decided' as const),
    decision: fc.oneof(
      fc.record({
        next: fc.constant('instruct' as const),
        instruction: fc.constantFrom('x', 'y'),
        reason: fc.constant('r'),
        evidence: fc.constant([]),
      }),
      fc.record({
        next: fc.constantFrom('finish', 'ask_human'),
        reason: fc.constant('r'),
        evidence: fc.constant([]),
      } as const),
      fc.record({
        next: fc.constant('wait_until' as const),
        until: fc.integer({ min: 1, max: 10_000_000 }),
        reason: fc.constant('r'),
        evidence: fc.constant([]),
      }),
    ),
    witnessed: fc.array(
      fc.boolean().map((passed) => anEvidence({ passed })),
      { maxLength: 2 },
    ),
  }),
  fc.record({ type: fc.constant('undecided' as const), problem: fc.constant('p') }),
  fc.record({
    type: fc.constant('unavailable' as const),
    reason: fc.constant('r'),
    retryAt: fc.constantFrom(null, 5_000_000),
  }),
  fc.record({ type: fc.constant('done' as const) }),
  fc.record({ type: fc.constant('broke' as const), message: fc.constant('m') }),
  fc.record({ type: fc.constant('asked' as const), actorId: fc.constant(LOCAL_ACTOR), ask }),
  fc.constant('own' as const),
  fc.constant('own' as const),
  fc.constant('exhausted' as const),
);

/** A budget that refuses whatever is to be begun, for a minute. */
function exhausted({ effect }: PilotState, at: number): object {
  const refusal = { code: 'budget_exhausted', message: 'Used up.', againAt: at + 60_000 };
  return effect?.do === 'instruct'
    ? { type: 'refused', turnId: effect.turnId, ...refusal }
    : { type: 'done', refused: refusal };
}

const LONG = { cacheReadTokens: 300_000, turns: 3, ahead: 10, microUsd: null, notional: false };

/** What the driver comes back with when all is well. */
function own({ effect }: PilotState): object {
  switch (effect?.do) {
    case 'instruct':
      return { type: 'instructed', turnId: effect.turnId };
    case 'judge':
      return { type: 'judged', facts: someFacts({ changes: null, reread: LONG }) };
    case 'brain':
      return { type: 'undecided', problem: 'p' };
    case 'await':
      return { type: 'observed', seen: anObservation({ session: 'idle', turn: 'ended' }) };
    default:
      return { type: 'done' };
  }
}

function eventOf(each: object | 'own' | 'exhausted', state: PilotState, at: number): object {
  if (each === 'own') return own(state);
  return each === 'exhausted' ? exhausted(state, at) : each;
}

const spec = fc.record({
  mode: fc.constantFrom('pilot', 'co_pilot'),
  bounds: fc.record({
    maxTurns: fc.integer({ min: 1, max: 4 }),
    stallTurns: fc.constantFrom(2, 3),
  }),
  beginsAnew: fc.boolean(),
} as const);

it('gives each turn one instruction, keeps its bounds, and always says what is next', () => {
  fc.assert(
    fc.property(spec, fc.array(input, { maxLength: 60 }), (over, inputs) => {
      let state = aRun({ ...aSpec(over), beginsAnew: over.beginsAnew });
      const texts = new Map<string, string>();
      for (const [index, each] of inputs.entries()) {
        const event = { at: index * 60_000, ...eventOf(each, state, index * 60_000) } as PilotEvent;
        const finished = state.status === 'finished';
        const next = decide(state, event);
        if (next !== state) expect(next.step).toBe(state.step + 1);
        if (isPilotOver(state.status)) expect(next.status).toBe(state.status);
        if (next.effect?.do === 'instruct') {
          const { turnId, text } = next.effect;
          expect(texts.get(turnId) ?? text).toBe(text);
          texts.set(turnId, text);
        }
        state = next;
        expect(state.turns).toBeLessThanOrEqual(over.bounds.maxTurns);
        const waits = ['waiting_turn', 'waiting_person', 'paused'].includes(state.status);
        if (waits) expect(state.effect?.do).toBe('await');
        if (!isPilotOver(state.status)) expect(state.effect).not.toBeNull();
        expect(state.reason).not.toBe('');
        if (state.status === 'waiting_person') expect(state.hold).not.toBeNull();
        if (state.status === 'finished' && !finished)
          expect(
            event.type === 'decided' ? event.witnessed.every(({ passed }) => passed) : true,
          ).toBe(true);
      }
    }),
    { numRuns: 400 },
  );
});

it('comes to its end or to a stated wait without anybody’s help', () => {
  fc.assert(
    fc.property(spec, fc.array(input, { maxLength: 30 }), (over, inputs) => {
      let state = aRun({ ...aSpec(over), beginsAnew: over.beginsAnew });
      let at = 0;
      const go = (each: object): void => {
        state = decide(state, { at: (at += 60_000), ...each } as PilotEvent);
      };
      for (const each of inputs) go(eventOf(each, state, at));
      const stands = (): boolean =>
        isPilotOver(state.status) || state.status === 'waiting_person' || state.status === 'paused';
      for (let steps = 0; steps < 300 && !stands(); steps++) {
        if (state.effect?.do === 'await' && state.effect.until !== null) at = state.effect.until;
        go(own(state));
      }
      expect(stands()).toBe(true);
    }),
    { numRuns: 300 },
  );
});
