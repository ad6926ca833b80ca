import { describe, expect, it } from 'vitest';
import { decide } from '../../../../workers/pilot/core/decide.ts';
import { REFUSAL_FIRST_MS, REFUSAL_MAX_MS } from '../../../../workers/pilot/core/refusals.ts';
import type { Hold, PilotState } from '../../../../workers/pilot/core/state.ts';
import {
  after,
  anObservation,
  aRun,
  aSpec,
  ended,
  failing,
  judged,
  sent,
  someFacts,
} from '../../../support/pilot-builders.ts';

const DAY_MS = 24 * 3_600_000;
/** A spec with time for anything, so that the deadline is no part of what is tested. */
const patient = () => ({ ...aRun(), deadlineAt: 30 * DAY_MS });
const look = (state: PilotState, over: Parameters<typeof anObservation>[0], at = 1_000) =>
  decide(state, { type: 'observed', at, seen: anObservation(over) });
const held = (hold: Hold): PilotState => ({
  ...aRun(),
  status: 'waiting_person',
  hold,
  effect: { do: 'await', until: null },
});

describe('a look at a session whose turn is under way', () => {
  it.each([
    ['none', 'working', 'waiting_turn'],
    ['accepted', 'queued', 'waiting_turn'],
    ['started', 'working', 'waiting_turn'],
    ['ended', 'idle', 'judging'],
    ['absent', 'idle', 'instructing'],
    ['undelivered', 'idle', 'instructing'],
    ['unknown', 'idle', 'waiting_person'],
    ['started', 'awaiting_approval', 'waiting_turn'],
    ['started', 'halted', 'waiting_person'],
    ['started', 'provider_failed', 'waiting_person'],
    ['started', 'finished', 'stopped'],
  ] as const)('where the turn is %s and the session %s leads to %s', (turn, session, status) => {
    expect(look(aRun(), { turn, session }).status).toBe(status);
  });

  it('judges a turn only once nothing else of the same work runs or waits', () => {
    expect(look(aRun(), { turn: 'ended', session: 'working', busy: true }).status).toBe(
      'waiting_turn',
    );
  });

  it('says whose answer is waited for', () => {
    expect(look(aRun(), { asks: true }).reason).toBe(
      'The engine waits for an answer to its request.',
    );
  });

  it('never sends again by itself what may have been carried out', () => {
    const state = look(aRun(), { turn: 'unknown', session: 'idle' });
    expect(state).toMatchObject({ hold: 'question', open: null });
    expect(state.reason).toContain('not sent again by itself');
  });

  it('sends what did not arrive again under its own id, and then asks a person', () => {
    let state = aRun(aSpec({ bounds: { maxDecisionRetries: 1 } }));
    const { open } = state;
    state = look(state, { turn: 'absent', session: 'idle' });
    expect(state).toMatchObject({ attempt: 1, effect: { do: 'instruct', turnId: open } });
    state = look(sent(state), { turn: 'absent', session: 'idle' });
    expect(state).toMatchObject({ status: 'waiting_person', hold: 'question', open: null });
  });

  it('tells a session’s own words of its end', () => {
    expect(look(aRun(), { session: 'stopped', sessionReason: 'enough' })).toMatchObject({
      status: 'stopped',
      reason: 'The session was stopped: enough',
      effect: null,
    });
    expect(look(aRun(), { session: 'lost' }).reason).toMatch(
      /^The session ended by itself: no reason is known\. Retry it/,
    );
  });
});

describe('what a person is waited for', () => {
  it.each([
    ['takeover', { session: 'idle' }, true],
    ['takeover', { session: 'idle', takenOver: true }, false],
    ['takeover', { session: 'lost' }, false],
    ['gone', { session: 'working' }, true],
    ['gone', { session: 'working', takenOver: true }, false],
    ['gone', { session: 'provider_failed' }, false],
    ['halted', { session: 'idle' }, true],
    ['halted', { session: 'halted' }, false],
    ['question', { session: 'idle' }, false],
    ['proposal', { session: 'idle' }, false],
  ] as const)('%s, seen as %o, is lifted by what is seen: %s', (hold, seen, lifted) => {
    const state = held(hold);
    const next = look(state, seen);
    if (lifted) expect(next).toMatchObject({ status: 'waiting_turn', hold: null });
    else expect(next).toBe(state);
  });

  it('is said anew where a retry failed for another reason, and waited out where that passes', () => {
    const failed = { session: 'failed_to_start', sessionReason: 'No such mode.' } as const;
    const gone = look(aRun(), failed);
    expect(gone.reason).toBe('No such mode. Retry it, and the Pilot goes on.');
    expect(look(gone, failed)).toBe(gone);
    const other = look(gone, { ...failed, sessionReason: 'No such directory.' });
    expect(other).toMatchObject({
      hold: 'gone',
      reason: 'No such directory. Retry it, and the Pilot goes on.',
    });
    const busy = { sessionReason: 'Come back later.', failure: 'rate_limited' } as const;
    expect(look(other, { session: 'provider_failed', ...busy }).status).toBe('waiting_until');
    expect(look(other, { session: 'halted', sessionReason: 'Over.' })).toMatchObject({
      hold: 'halted',
      reason: 'Over.',
    });
  });

  it('is the halt, and no proposal any more, where the session was halted meanwhile', () => {
    const halted = look(held('proposal'), { session: 'halted', sessionReason: 'It pushed.' });
    expect(halted).toMatchObject({ hold: 'halted', proposal: null, reason: 'It pushed.' });
    expect(look({ ...halted, open: null }, { session: 'idle' }).status).toBe('deciding');
    const asked = held('question');
    expect(look(asked, { session: 'halted' })).toBe(asked);
  });

  it('is over with the session, whatever it was', () => {
    for (const hold of ['takeover', 'gone', 'halted', 'question', 'proposal'] as const)
      expect(look(held(hold), { session: 'stopped' }).status).toBe('stopped');
  });
});

describe('a provider that refuses', () => {
  const refuse = (state: PilotState, over: Parameters<typeof someFacts>[0], at = 1_000) =>
    decide(look(state, { turn: 'ended', session: 'idle' }, at), {
      type: 'judged',
      at,
      facts: someFacts({ outcome: 'failed', ...over }),
    });

  it.each(['rate_limited', 'quota_exhausted', 'overloaded'] as const)(
    'because it is %s is waited out, and asked again without a person',
    (failure) => {
      const state = refuse(patient(), { failure });
      expect(state).toMatchObject({
        status: 'waiting_until',
        effect: { until: 1_000 + REFUSAL_FIRST_MS },
      });
      expect(state.reason).toContain(`(${failure})`);
    },
  );

  it('is waited out twice as long each time, but never longer than an hour', () => {
    const waits = [0, 1, 2, 5, 6, 40].map((refusals) => {
      const { effect } = refuse({ ...patient(), refusals }, { failure: 'overloaded' });
      return effect?.do === 'await' ? (effect.until ?? 0) - 1_000 : null;
    });
    expect(waits).toEqual([60_000, 120_000, 240_000, 1_920_000, REFUSAL_MAX_MS, REFUSAL_MAX_MS]);
  });

  it.each([
    ['a week ahead', 7 * DAY_MS, 7 * DAY_MS + 5_000],
    ['past', 500, 1_000 + REFUSAL_FIRST_MS],
    ['too far away to be believed', 9 * DAY_MS, 1_000 + REFUSAL_FIRST_MS],
  ])('and names a time that is %s is asked again then', (_what, resetsAt, until) => {
    expect(refuse(patient(), { failure: 'rate_limited', resetsAt })).toMatchObject({
      effect: { do: 'await', until },
    });
  });

  it('is never waited for beyond the time of the run', () => {
    const state = refuse(aRun(), { failure: 'rate_limited', resetsAt: 7 * DAY_MS });
    expect(state.effect).toEqual({ do: 'await', until: aRun().deadlineAt });
  });

  it.each(['auth_missing', 'auth_expired'] as const)(
    'because of %s wants a person, who is told to sign it in',
    (failure) => {
      const state = refuse(aRun(), { failure, message: 'Not logged in.' });
      expect(state).toMatchObject({ status: 'waiting_person', hold: 'question' });
      expect(state.reason).toBe('Not logged in. Sign it in, then resume.');
    },
  );

  it('is forgotten once a turn came through', () => {
    const again = refuse(patient(), { failure: 'overloaded' });
    const later = after({ ...again, open: aRun().open, status: 'waiting_turn' }, ended, judged());
    expect(later).toMatchObject({ status: 'deciding', refusals: 0 });
    expect(again.refusals).toBe(1);
  });
});

describe('a turn that was interrupted', () => {
  it('is no failure and no progress: a person says what is next', () => {
    const state = after(aRun(), ended, judged({ outcome: 'interrupted' }));
    expect(state).toMatchObject({ status: 'waiting_person', hold: 'question', open: null });
    expect(after(state, failing())).toBe(state);
  });

  it('says why where the machine said it, as after a restart of the engine', () => {
    const message = 'The engine was restarted.';
    const state = after(aRun(), ended, judged({ outcome: 'interrupted', message }));
    expect(state.reason).toBe(`${message} Resume, or say what to do instead.`);
  });
});
