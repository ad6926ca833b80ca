import { describe, expect, it } from 'vitest';
import {
  describeBegunAnew,
  describeReread,
  forecastReread,
  savesBegunAnew,
} from '../../protocol/reread-forecast.ts';
import type { BucketTotal, SpendTotals } from '../../protocol/usage.ts';

const total = (over: Partial<BucketTotal> = {}): BucketTotal => ({
  microUsd: 100_000,
  inputTokens: 1_000,
  outputTokens: 1_000,
  cacheReadTokens: 300_000,
  cacheWriteTokens: 0,
  entries: 1,
  unpriced: 0,
  ...over,
});
const turns = (count: number, spend: SpendTotals = { reported: total() }) =>
  Array.from({ length: count }, () => ({ state: 'ended' as const, spend, acceptedAt: 5 }));

describe('a long conversation', () => {
  it('is foretold to go on as its last turns did', () => {
    expect(forecastReread({ turns: turns(3) })).toEqual({
      cacheReadTokens: 300_000,
      turns: 3,
      ahead: 10,
      microUsd: 1_000_000,
      notional: false,
    });
  });

  it('is looked at by its last five turns alone', () => {
    const cheap = turns(9, { reported: total({ cacheReadTokens: 0, microUsd: 0 }) });
    expect(forecastReread({ turns: [...cheap, ...turns(5)] })?.microUsd).toBe(1_000_000);
    expect(forecastReread({ turns: [...turns(9), ...cheap] })).toBeNull();
  });

  it('is none while a turn reads little again, or has just begun', () => {
    const little = { reported: total({ cacheReadTokens: 199_999 }) };
    expect(forecastReread({ turns: turns(5, little) })).toBeNull();
    expect(forecastReread({ turns: turns(2) })).toBeNull();
    const underWay = { state: 'started' as const, spend: { reported: total() }, acceptedAt: 5 };
    expect(forecastReread({ turns: [...turns(2), underWay] })).toBeNull();
  });

  it('is none once it is to be begun anew, until it has grown long again', () => {
    expect(forecastReread({ turns: turns(5), compactedAt: 6 })).toBeNull();
    const later = turns(3).map((turn) => ({ ...turn, acceptedAt: 7 }));
    expect(forecastReread({ turns: [...turns(5), ...later], compactedAt: 6 })?.turns).toBe(3);
    expect(forecastReread({ turns: turns(5), compactedAt: null })?.turns).toBe(5);
  });

  it('never has a price made up, nor a rehearsal’s or an unmetered turn counted', () => {
    const unpriced = { estimated: total({ microUsd: 0, unpriced: 1 }) };
    expect(forecastReread({ turns: turns(3, unpriced) })?.microUsd).toBeNull();
    expect(forecastReread({ turns: turns(5, { rehearsal: total() }) })).toBeNull();
    expect(
      forecastReread({ turns: [...turns(2), ...turns(9, { unmetered: total() })] }),
    ).toBeNull();
  });

  it('says of a subscription that its dollars are no money', () => {
    const notional = { notional: total() };
    expect(forecastReread({ turns: turns(3, notional) })?.notional).toBe(true);
    expect(forecastReread({ turns: [...turns(3, notional), ...turns(1)] })?.notional).toBe(false);
  });
});

describe('a conversation that is begun anew', () => {
  it('is said to read a brief in place of everything, and how much that is', () => {
    expect(describeBegunAnew()).toContain('a record of what was done, of about 6 K tokens at most');
  });
});

describe('its sentence', () => {
  const forecast = { cacheReadTokens: 412_000, turns: 5, ahead: 10, microUsd: 2_340_000 };

  it('says what the next turns will cost, in which dollars, and no price that nobody knows', () => {
    expect(describeReread({ ...forecast, notional: false })).toBe(
      'Each of the last 5 turns read 412 K tokens of the conversation again. The next 10 turns will cost about $2.34.',
    );
    expect(describeReread({ ...forecast, notional: true })).toMatch(
      /about \$2\.34 in notional dollars, which a subscription pays\.$/,
    );
    expect(describeReread({ ...forecast, microUsd: null, notional: false })).toMatch(
      /of the conversation again\.$/,
    );
  });

  it.each([
    ['many turns are left', 300_000, 30, true],
    ['two turns are left', 300_000, 2, true],
    ['one is left, which reads it all again either way', 300_000, 1, false],
    ['none is left', 300_000, 0, false],
    ['the record is as long as what is read again', 6_000, 30, false],
  ])('reads less begun anew, or not, where %s', (_, cacheReadTokens, left, saves) => {
    const forecast = { cacheReadTokens, turns: 3, ahead: 10, microUsd: null, notional: false };
    expect(savesBegunAnew(forecast, left)).toBe(saves);
  });
});
