import { describe, expect, it } from 'vitest';
import {
  fingerprint,
  stallOf,
  type TurnMark,
} from '../../../../workers/pilot/core/loop-breaker.ts';
import { after, aRun, ended, failing, judged, sent } from '../../../support/pilot-builders.ts';

const mark = (over: Partial<TurnMark> = {}): TurnMark => ({
  instruction: 'a',
  failing: 'f',
  changes: null,
  acts: 0,
  ...over,
});

describe('the loop breaker', () => {
  it('names two texts alike that differ in numbers and spaces alone', () => {
    expect(fingerprint('failed in 12 ms\n')).toBe(fingerprint('failed in  7 ms'));
    expect(fingerprint('a failed')).not.toBe(fingerprint('b failed'));
  });

  it('trips on turns that change nothing and do nothing, whatever they were told', () => {
    const still = [mark(), mark({ instruction: 'b' }), mark({ failing: 'g' })];
    expect(stallOf(still, 3)).toContain('changed no file');
    expect(stallOf(still.slice(1), 3)).toBeNull();
    expect(stallOf([...still.slice(1), mark({ acts: 1 })], 3)).toBeNull();
    expect(stallOf([...still.slice(1), mark({ changes: 'x' })], 3)).toBeNull();
  });

  it('trips on the same instruction that meets the same failure again and again', () => {
    const circle = ['1', '2', '3', '4'].map((changes) => mark({ changes }));
    expect(stallOf(circle, 2)).toContain('same failure 4 times');
    expect(stallOf(circle.with(2, mark({ changes: '3', failing: 'g' })), 2)).toBeNull();
    expect(
      stallOf(
        circle.map((each) => ({ ...each, failing: null })),
        2,
      ),
    ).toBeNull();
  });

  it('asks a person after three idle turns, and begins to count anew when resumed', () => {
    let state = after(aRun(), ended, judged({ changes: null }), failing());
    for (let turn = 0; turn < 2; turn++)
      state = after(sent(state), ended, judged({ changes: null }), failing());
    expect(state).toMatchObject({
      status: 'waiting_person',
      hold: 'question',
      turns: 3,
      marks: [],
    });
  });

  it('takes what git has for a change, where an engine tells of none', () => {
    const turn = (tip: string | null) => judged({ changes: null, tip });
    let state = after(aRun(), ended, turn('c1'), failing());
    for (const tip of ['c2', 'c3', 'c4']) state = after(sent(state), ended, turn(tip), failing());
    expect(state.status).not.toBe('waiting_person');
    for (const tip of ['c4', null, 'c4']) state = after(sent(state), ended, turn(tip), failing());
    expect(state).toMatchObject({ status: 'waiting_person', hold: 'question' });
  });
});
