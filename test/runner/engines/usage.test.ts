import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Baseline, decideDifference } from '../../../runner/engines/claude/usage.ts';
import { aConversation, anEngineLaunch, assistant, figures, result } from './harness.ts';

const spend = (conversation: ReturnType<typeof aConversation>) =>
  conversation.of('usage/recorded').flatMap((event) => event.entries);

describe('usage from cumulative figures', () => {
  test('each turn adds its difference (M1)', () => {
    const conversation = aConversation().begin();
    conversation.line(result(figures(2)));
    conversation.line(assistant([{ type: 'text', text: 'a task ended' }]));
    conversation.line(result(figures(3)));
    expect(spend(conversation).map((entry) => entry.microUsd)).toEqual([3120, 1560]);
    expect(spend(conversation).map((entry) => entry.inputTokens)).toEqual([200, 100]);
  });

  test('a result that is repeated counts once', () => {
    const conversation = aConversation().begin();
    const line = result(figures(1));
    conversation.line(line);
    conversation.line(line);
    conversation.line({ ...line, uuid: 'another' });
    expect(spend(conversation)).toHaveLength(1);
  });

  test('a turn without a difference says none, which is not zero', () => {
    const conversation = aConversation().begin();
    conversation.line(result({}));
    expect(conversation.of('usage/recorded')).toEqual([]);
    expect(conversation.of('turn/ended')[0]?.usage).toBe('none');
  });

  test('a resumed conversation counts from what the engine says it had cost', () => {
    const conversation = aConversation(anEngineLaunch({ resume: true }));
    conversation.line({
      type: 'control_response',
      response: {
        subtype: 'success',
        request_id: 'baseline-lau_test',
        response: { session: { model_usage: figures(5) } },
      },
    });
    conversation.begin();
    conversation.line(result(figures(6)));
    expect(spend(conversation).map((entry) => entry.microUsd)).toEqual([1560]);
  });

  test('a resumed conversation without a baseline uses the engine’s own difference (M3)', () => {
    const conversation = aConversation(anEngineLaunch({ resume: true })).begin();
    conversation.line(result(figures(6), { model_usage_since_last_result: figures(1) }));
    expect(spend(conversation).map((entry) => [entry.provenance, entry.microUsd])).toEqual([
      ['reported', 1560],
    ]);
  });

  test('a resumed conversation with neither is unsettled, from the messages seen', () => {
    const conversation = aConversation(anEngineLaunch({ resume: true })).begin();
    conversation.line(assistant([{ type: 'text', text: 'hi' }]));
    conversation.line(result(figures(6)));
    expect(spend(conversation).map((entry) => [entry.provenance, entry.inputTokens])).toEqual([
      ['unsettled', 100],
    ]);
    expect(conversation.of('turn/ended')[0]?.usage).toBe('unsettled');
  });

  test.each([
    ['a negative cost', figures(1, -1)],
    ['a text', { m: { ...figures(1)['claude-opus-5-5'], costUSD: 'NaN' } }],
    ['half a token', { m: { ...figures(1)['claude-opus-5-5'], inputTokens: 0.5 } }],
    ['an absent field', { m: { inputTokens: 1 } }],
    ['nothing', undefined],
    ['null', null],
  ])('%s is refused, told and recorded as unsettled', (_what, modelUsage) => {
    const conversation = aConversation().begin();
    conversation.line(assistant([{ type: 'text', text: 'hi' }]));
    conversation.line(result(modelUsage));
    expect(spend(conversation).map((entry) => entry.provenance)).toEqual(['unsettled']);
    expect(conversation.of('notice/raised').map((event) => event.code)).toContain('usage_refused');
  });

  test('figures that go backward are refused once, and counting goes on from there (M4)', () => {
    const conversation = aConversation().begin();
    conversation.line(result(figures(5)));
    conversation.line(assistant([{ type: 'text', text: 'hi' }]));
    conversation.line(result(figures(2)));
    conversation.line(assistant([{ type: 'text', text: 'hi' }]));
    conversation.line(result(figures(3)));
    expect(spend(conversation).map((entry) => [entry.provenance, entry.inputTokens])).toEqual([
      ['reported', 500],
      ['unsettled', 100],
      ['reported', 100],
    ]);
  });

  test('any way of cutting a run into turns adds up to the rounded total', () => {
    const model = fc.record({
      tokens: fc.nat(10_000),
      cost: fc.double({ min: 0, max: 2, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c'), model), {
          minLength: 1,
          maxLength: 12,
        }),
        (turns) => {
          const total: Record<string, { tokens: number; cost: number }> = {};
          let baseline: Baseline | null = {};
          let recorded = 0;
          let tokens = 0;
          let raw: Record<string, unknown> = {};
          for (const turn of turns) {
            for (const [name, { tokens: more, cost }] of Object.entries(turn)) {
              const before = total[name] ?? { tokens: 0, cost: 0 };
              total[name] = { tokens: before.tokens + more, cost: before.cost + cost };
            }
            raw = Object.fromEntries(
              Object.entries(total).map(([name, sum]) => [
                name,
                {
                  inputTokens: sum.tokens,
                  outputTokens: 0,
                  cacheReadInputTokens: 0,
                  cacheCreationInputTokens: 0,
                  costUSD: sum.cost,
                },
              ]),
            );
            const difference = decideDifference(baseline, raw, undefined);
            if (difference.kind !== 'known') throw new Error('refused');
            baseline = difference.baseline;
            for (const entry of Object.values(difference.figures)) {
              recorded += entry.microUsd;
              tokens += entry.inputTokens;
            }
          }
          const sums = Object.values(total);
          expect(tokens).toBe(sums.reduce((sum, each) => sum + each.tokens, 0));
          expect(recorded).toBe(sums.reduce((sum, each) => sum + Math.round(each.cost * 1e6), 0));
        },
      ),
    );
  });

  test('no figures whatever make an entry that the ledger would refuse', () => {
    const any = fc.oneof(
      fc.anything(),
      fc.dictionary(
        fc.string(),
        fc.record({
          inputTokens: fc.anything(),
          outputTokens: fc.integer(),
          cacheReadInputTokens: fc.integer(),
          cacheCreationInputTokens: fc.integer(),
          costUSD: fc.double(),
        }),
      ),
    );
    fc.assert(
      fc.property(any, any, (cumulative, since) => {
        const difference = decideDifference({}, cumulative, since);
        if (difference.kind === 'refused') return;
        for (const entry of Object.values(difference.figures)) {
          for (const value of Object.values(entry))
            expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
        }
      }),
    );
  });
});

describe('usage of a turn that dies', () => {
  const start = (id: string) => ({
    type: 'stream_event',
    uuid: id,
    event: {
      type: 'message_start',
      message: {
        id,
        model: 'claude-opus-5-5',
        usage: {
          input_tokens: 100,
          cache_read_input_tokens: 300,
          cache_creation_input_tokens: 20,
          output_tokens: 1,
        },
      },
    },
  });
  const delta = (output: number) => ({
    type: 'stream_event',
    uuid: 'd',
    event: { type: 'message_delta', usage: { output_tokens: output } },
  });

  test('is estimated from the messages seen, each once', () => {
    const conversation = aConversation().begin();
    conversation.line(start('m1'));
    conversation.line(
      assistant([{ type: 'text', text: 'a' }], {
        message: {
          id: 'm1',
          model: 'claude-opus-5-5',
          content: [],
          usage: { input_tokens: 100, output_tokens: 1 },
        },
      }),
    );
    conversation.line(delta(50));
    conversation.line(start('m2'));
    conversation.exit();
    // 200 × 4 + 51 × 20 + 600 × 0.2 + 40 × 5 micro-dollars.
    expect(spend(conversation)).toEqual([
      {
        model: 'claude-opus-5-5',
        provenance: 'unsettled',
        payer: 'unknown',
        inputTokens: 200,
        outputTokens: 51,
        cacheReadTokens: 600,
        cacheWriteTokens: 40,
        microUsd: 2140,
      },
    ]);
    expect(conversation.of('turn/ended').map((event) => [event.outcome, event.usage])).toEqual([
      ['killed', 'unsettled'],
    ]);
  });

  test('has no price when the model has none', () => {
    const conversation = aConversation().begin();
    conversation.line(
      assistant([], {
        message: {
          id: 'm',
          model: 'somebody-elses-7',
          content: [],
          usage: { input_tokens: 9, output_tokens: 1 },
        },
      }),
    );
    conversation.exit();
    expect(spend(conversation).map((entry) => entry.microUsd)).toEqual([null]);
  });

  test('leaves out the messages of turns already recorded', () => {
    const conversation = aConversation().begin();
    conversation.line(start('m1'));
    conversation.line(result(figures(1)));
    conversation.line(start('m1'));
    conversation.exit();
    expect(spend(conversation).map((entry) => entry.provenance)).toEqual(['reported']);
  });
});
