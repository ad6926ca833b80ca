import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usageEntry } from '../../../../protocol/usage.ts';
import {
  decideDifference,
  knownEntries,
  parseFigures,
  seeMessage,
  unsettledRemainder,
  type SeenMessage,
} from '../../../../runner/engines/claude/usage.ts';
import { figures } from '../harness.ts';

const OPUS = 'claude-opus-5-5';
const totals = (times: number) => parseFigures(figures(times))!;
const seen = (over: Partial<SeenMessage> = {}): SeenMessage => ({
  model: OPUS,
  inputTokens: 100,
  outputTokens: 50,
  cacheReadTokens: 300,
  cacheWriteTokens: 20,
  ...over,
});

describe('the figures of an engine', () => {
  test('are read per model, dollars as micro-dollars (M2)', () => {
    expect(parseFigures(figures(1))).toEqual({
      [OPUS]: {
        inputTokens: 100,
        outputTokens: 50,
        cacheReadTokens: 300,
        cacheWriteTokens: 20,
        microUsd: 1560,
      },
    });
  });

  test('of a run that used nothing are none, which can be read', () => {
    expect(parseFigures({})).toEqual({});
  });

  test('are rounded once, while they are cumulative', () => {
    const cost = (costUSD: number) => parseFigures(figures(1, costUSD))?.[OPUS]?.microUsd;
    expect([cost(0.000_000_4), cost(0.000_000_6), cost(0.1 + 0.2)]).toEqual([0, 1, 300_000]);
  });

  const good = figures(1)[OPUS];
  test.each([
    ['a negative count', { ...good, outputTokens: -1 }],
    ['half a token', { ...good, inputTokens: 0.5 }],
    ['a count that is no number', { ...good, inputTokens: '100' }],
    ['no cost', { ...good, costUSD: undefined }],
    ['a cost that is no number', { ...good, costUSD: Number.NaN }],
    ['a cost without end', { ...good, costUSD: Number.POSITIVE_INFINITY }],
    ['a negative cost', { ...good, costUSD: -0.01 }],
    ['a null', null],
  ])('with %s are refused whole: not one model of them counts', (_what, bad) => {
    expect(parseFigures({ good, bad })).toBeNull();
  });

  test.each([undefined, null, 'x', 5, [good]])('that are %j are none', (raw) => {
    expect(parseFigures(raw)).toBeNull();
  });

  test('of a model without a name are refused', () => {
    expect(parseFigures({ '': good })).toBeNull();
  });
});

describe('what a result adds', () => {
  test('is its difference to what is recorded', () => {
    const difference = decideDifference(totals(2), figures(5), undefined);
    expect(difference).toMatchObject({ kind: 'known', baseline: totals(5) });
    expect(difference.kind === 'known' && difference.figures).toEqual(totals(3));
  });

  test('of a model that was not there before is everything of it', () => {
    const now = { ...figures(1), other: figures(1)[OPUS] };
    const difference = decideDifference(totals(1), now, undefined);
    expect(difference.kind === 'known' && Object.keys(difference.figures)).toEqual(['other']);
  });

  test('of a model that did nothing is left out', () => {
    const difference = decideDifference(totals(1), figures(1), undefined);
    expect(difference).toMatchObject({ kind: 'known', figures: {} });
  });

  test('is the engine’s own difference when its counters were reset', () => {
    const difference = decideDifference(totals(5), figures(1), figures(1));
    expect(difference).toMatchObject({ kind: 'known', figures: totals(1), baseline: totals(1) });
  });

  test('is not the engine’s own difference while ours is known: nothing counts twice', () => {
    const difference = decideDifference(totals(1), figures(2), figures(2));
    expect(difference.kind === 'known' && difference.figures).toEqual(totals(1));
  });

  test('is refused when the engine’s own difference is more than its total', () => {
    const difference = decideDifference(null, figures(1), figures(2));
    expect(difference).toMatchObject({ kind: 'refused', baseline: totals(1) });
  });

  test('is refused when a model has vanished from the totals', () => {
    const difference = decideDifference(totals(1), {}, undefined);
    expect(difference).toMatchObject({
      kind: 'refused',
      reason: 'the cumulative figures went backward',
      baseline: {},
    });
  });

  test('of figures that cannot be read leaves the baseline as it was', () => {
    expect(decideDifference(totals(3), 'odd', figures(1))).toMatchObject({
      kind: 'refused',
      baseline: totals(3),
    });
  });

  test('counted from the refused figures on is right again', () => {
    const refused = decideDifference(totals(5), figures(2), undefined);
    const next = decideDifference(refused.baseline, figures(3), undefined);
    expect(next.kind === 'known' && next.figures).toEqual(totals(1));
  });
});

describe('a message that is seen in pieces', () => {
  test('counts what its last piece counts', () => {
    const first = seeMessage(undefined, OPUS, { input_tokens: 100, output_tokens: 1 });
    const last = seeMessage(first, 'unknown', { output_tokens: 50 });
    expect(last).toMatchObject({ model: OPUS, inputTokens: 100, outputTokens: 50 });
  });

  test('is the same object when a piece says nothing new', () => {
    const first = seeMessage(undefined, OPUS, { input_tokens: 100, output_tokens: 5 });
    expect(seeMessage(first, OPUS, { input_tokens: 100, output_tokens: 1 })).toBe(first);
    expect(seeMessage(first, OPUS, { output_tokens: 6 })).not.toBe(first);
  });

  test('never counts less than it did, in whatever order its pieces come', () => {
    const count = fc.option(fc.oneof(fc.integer(), fc.double()));
    const piece = fc.record({
      input_tokens: count,
      output_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
    });
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1 }), (pieces) => {
        const add = (before: SeenMessage | undefined, usage: (typeof pieces)[number]) =>
          seeMessage(before, OPUS, usage);
        const forward = pieces.reduce<SeenMessage | undefined>(add, undefined);
        const backward = pieces.toReversed().reduce<SeenMessage | undefined>(add, undefined);
        expect(backward).toEqual(forward);
        for (const value of Object.values(forward ?? {}).slice(1))
          expect(Number.isSafeInteger(value) && Number(value) >= 0).toBe(true);
      }),
    );
  });
});

describe('what was seen and never counted', () => {
  test('is the sum of the messages, priced from the table', () => {
    expect(unsettledRemainder([seen(), seen()], {})).toEqual([
      {
        ...seen(),
        inputTokens: 200,
        outputTokens: 100,
        cacheReadTokens: 600,
        cacheWriteTokens: 40,
        microUsd: 3120,
      },
    ]);
  });

  test('is apart for each model', () => {
    const rest = unsettledRemainder([seen(), seen({ model: 'elsewhere' })], {});
    expect(rest.map(({ model, microUsd }) => [model, microUsd])).toEqual([
      [OPUS, 1560],
      ['elsewhere', null],
    ]);
  });

  test('is nothing when the engine has counted all of it', () => {
    expect(unsettledRemainder([seen()], totals(1))).toEqual([]);
  });

  test('is what is left when the engine has counted a part', () => {
    expect(unsettledRemainder([seen(), seen()], totals(1))).toMatchObject([
      { inputTokens: 100, outputTokens: 50 },
    ]);
  });

  test('is compared under the model’s plain name', () => {
    const counted = { [`${OPUS}[1m]`]: totals(1)[OPUS]! };
    expect(unsettledRemainder([seen()], counted)).toEqual([]);
  });

  test('is never negative when the engine counted more than was seen', () => {
    for (const rest of unsettledRemainder([seen({ inputTokens: 500 })], totals(2)))
      expect(Math.min(rest.outputTokens, rest.cacheReadTokens, rest.cacheWriteTokens)).toBe(0);
  });

  test('that is nothing but words begun is left out: without input nothing was asked', () => {
    const words = seen({ inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 });
    expect(unsettledRemainder([words], {})).toEqual([]);
  });
});

describe('the entries for the ledger', () => {
  test('are each accepted by it, with whose money it is', () => {
    const entries = knownEntries(totals(2), { provenance: 'reported', payer: 'subscription' });
    expect(entries.map((entry) => usageEntry.parse(entry))).toEqual(entries);
    expect(entries).toMatchObject([{ model: OPUS, payer: 'subscription', microUsd: 3120 }]);
  });
});
