import { describe, expect, it } from 'vitest';
import { LOCAL_ACTOR, turnId } from '../../../../protocol/ids.ts';
import type { PilotAsk, PilotSpec } from '../../../../protocol/pilot.ts';
import type { RereadForecast } from '../../../../protocol/reread-forecast.ts';
import { turnOfStep } from '../../../../workers/pilot/core/state.ts';
import {
  after,
  aRun,
  aSpec,
  ended,
  type EventWithoutTime,
  failing,
  FIRST_TURN,
  judged,
  passing,
  PILOTED,
  sent,
} from '../../../support/pilot-builders.ts';

const forecast = (over: Partial<RereadForecast> = {}): RereadForecast => ({
  cacheReadTokens: 300_000,
  turns: 3,
  ahead: 10,
  microUsd: 4_000_000,
  notional: false,
  ...over,
});
const long = (over: Partial<RereadForecast> = {}) => judged({ reread: forecast(over) });
const willing = (over: Parameters<typeof aSpec>[0] = {}): PilotSpec => ({
  ...aSpec(over),
  beginsAnew: true,
});
const done = { type: 'done' } as const;
const refused = { type: 'done', refused: { code: 'session_busy', message: 'Busy.' } } as const;
const asked = (ask: PilotAsk): EventWithoutTime => ({ type: 'asked', actorId: LOCAL_ACTOR, ask });
const COUNTED = `Each of the last 3 turns read 300 K tokens of the conversation again. The next 10 turns will cost about $4.00.`;

describe('a conversation that has grown long', () => {
  it('is begun anew before the next instruction, with the figures for a reason', () => {
    const state = after(aRun(willing()), ended, long(), failing());
    expect(state).toMatchObject({
      status: 'instructing',
      effect: { do: 'anew', after: FIRST_TURN },
      open: null,
      turns: 1,
    });
    expect(state.reason).toContain(COUNTED);
    expect(state.reason).toContain('in place of all that');
    const told = after(state, done);
    const turn = turnOfStep(PILOTED, 4);
    expect(told.effect).toEqual({ do: 'instruct', turnId: turn, text: 'Correct it' });
    expect(told).toMatchObject({ turns: 2, open: turn, unsent: null });
  });

  it.each([
    ['nobody asked for it', aSpec(), long()],
    ['it is not long', willing(), judged()],
    ['one turn alone is left', willing({ bounds: { maxTurns: 2 } }), long()],
    ['a record of it would be as long', willing(), long({ cacheReadTokens: 6_000 })],
  ])('is kept where %s', (_, spec, turn) => {
    expect(after(aRun(spec), ended, turn, failing()).effect).toMatchObject({ do: 'instruct' });
  });

  it('is not begun anew for a run that is over, or a person who is asked', () => {
    expect(after(aRun(willing()), ended, long(), passing)).toMatchObject({
      status: 'finished',
      effect: null,
    });
  });

  it('stays where it cannot be begun anew, and the instruction is handed over all the same', () => {
    const state = after(aRun(willing()), ended, long(), failing(), refused);
    expect(state.effect).toMatchObject({ do: 'instruct', text: 'Correct it' });
    // The next turn says so again.
    const next = after(sent(state), ended, long(), failing('another'));
    expect(next.effect).toMatchObject({ do: 'anew' });
  });

  const BEGUN_AT = 9;
  const begun = () => sent(after(aRun(willing()), ended, long(), failing(), done));
  /** A turn after it, whose conversation reads so much again by now. */
  const turnOf = (tokens: number | null, compactedAt: number | null = BEGUN_AT) =>
    judged({
      rereadTokens: tokens,
      compactedAt,
      reread: tokens !== null && tokens >= 200_000 ? forecast({ cacheReadTokens: tokens }) : null,
    });

  it.each([
    [
      'is not begun anew again where its first turns read as much all the same',
      160_000,
      'instruct',
    ],
    ['is begun anew again where that helped, however slowly it grew back', 150_000, 'anew'],
  ])('%s', (_, first, effect) => {
    const [few, weighed] = [turnOf(null), turnOf(first)];
    const grown = sent(after(begun(), ended, few, failing('a')));
    const later = sent(after(grown, ended, weighed, failing('b')));
    const again = after(later, ended, turnOf(210_000), failing('c'));
    expect(again.effect).toMatchObject({ do: effect });
  });

  it('is not held against it where the machine would not begin it anew', () => {
    const again = after(begun(), ended, turnOf(300_000, null), failing('a'));
    expect(again.effect).toMatchObject({ do: 'anew' });
  });

  it('is proposed by a co-pilot, and begun anew by the yes to that alone', () => {
    const proposed = after(aRun(willing({ mode: 'co_pilot' })), ended, long(), failing());
    expect(proposed).toMatchObject({ hold: 'proposal', proposal: 'Correct it' });
    expect(proposed.reason).toContain(COUNTED);
    const { step } = proposed;
    expect(after(proposed, asked({ action: 'confirm', step })).effect).toEqual({
      do: 'anew',
      after: FIRST_TURN,
    });
    const kept = after(proposed, asked({ action: 'confirm', step, keep: true }));
    expect(kept.effect).toMatchObject({ do: 'instruct', text: 'Correct it' });
  });

  it.each(['co_pilot', 'pilot'] as const)('is kept by the answer to a question of a %s', (mode) => {
    const state = after(aRun(willing({ mode })), ended, long(), {
      type: 'unavailable',
      reason: 'Its key is refused.',
      retryAt: null,
    });
    const said = asked({ action: 'confirm', step: state.step, instruction: 'Go on' });
    expect(after(state, said).effect).toMatchObject({ do: 'instruct', text: 'Go on' });
  });

  it('is a person’s to keep or to begin anew while the run goes on', () => {
    const deciding = after(aRun(aSpec()), ended, long());
    const wished = after(deciding, asked({ action: 'conversation', beginsAnew: true }));
    expect(wished).toMatchObject({ status: 'deciding', effect: deciding.effect });
    expect(after(wished, failing()).effect).toMatchObject({ do: 'anew' });
    expect(after(deciding, asked({ action: 'conversation', beginsAnew: false }))).toBe(deciding);
  });

  it('is left alone where a person pauses meanwhile, and what was decided is sent after it', () => {
    const pausing = after(
      aRun(willing()),
      ended,
      long(),
      failing(),
      asked({ action: 'pause' }),
      done,
    );
    expect(pausing).toMatchObject({ status: 'paused' });
    const on = after(pausing, asked({ action: 'resume' }));
    expect(on.effect).toMatchObject({ do: 'instruct', text: 'Correct it' });
  });

  it('has the next step decided anew where another objective came meanwhile', () => {
    const objective = asked({ action: 'objective', objective: 'Something else' });
    const state = after(aRun(willing()), ended, long(), failing(), objective, done);
    expect(state).toMatchObject({ status: 'deciding', effect: { do: 'brain' }, open: null });
  });

  it('is kept where a person says so before it was begun anew, and told as it was decided', () => {
    const keep = asked({ action: 'conversation', beginsAnew: false });
    const state = after(aRun(willing()), ended, long(), failing(), keep);
    expect(state.effect).toMatchObject({ do: 'instruct', text: 'Correct it' });
    expect(state).toMatchObject({ begun: null, spec: { beginsAnew: false } });
  });

  it('is on record as begun where a person pauses meanwhile, who forgets in vain once at most', () => {
    const pause = asked({ action: 'pause' });
    const paused = after(aRun(willing()), ended, long(), failing(), pause, done);
    const on = sent(after(paused, asked({ action: 'resume' })));
    const again = after(on, ended, turnOf(300_000), failing('a'));
    expect(again).toMatchObject({ inVain: true, effect: { do: 'instruct' } });
  });

  it('names the turn after which it is long', () => {
    const turn = turnId.parse('trn_another');
    const state = after(aRun(willing()), ended, judged({ turnId: turn, reread: forecast() }));
    expect(after(state, failing()).effect).toEqual({ do: 'anew', after: turn });
  });
});
