import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aConversation, assistant } from '../harness.ts';

type Said = { id: string; output: number; parent: string | null };

const said = ({ id, output, parent }: Said) => ({
  ...assistant([{ type: 'text', text: 'x' }]),
  parent_tool_use_id: parent,
  message: {
    id,
    model: 'claude-sonnet-5',
    content: [{ type: 'text', text: 'x' }],
    usage: { input_tokens: 10, output_tokens: output },
  },
});

const killed = { exitCode: null, signal: 'SIGKILL', expected: false, stderrTail: [] };

/** What is recorded of a turn that is killed after these lines. */
function recordedOf(lines: readonly Said[]) {
  const conversation = aConversation().begin();
  for (const line of lines) conversation.line(said(line));
  const state = conversation.state;
  conversation.exit(killed);
  const entries = conversation.of('usage/recorded').flatMap((event) => event.entries);
  return { entries, state };
}

const turnOf = (count: number): Said[] =>
  Array.from({ length: count }, (_, index) => ({ id: `m${index}`, output: 5, parent: null }));

describe('the usage of a turn that is killed', () => {
  test('is not known where no message was seen: a call may have been under way', () => {
    expect(recordedOf([]).entries).toMatchObject([
      { provenance: 'unsettled', inputTokens: 0, outputTokens: 0, microUsd: null },
    ]);
  });

  test('counts every message, however many there were', () => {
    expect(recordedOf(turnOf(300)).entries).toMatchObject([
      { provenance: 'unsettled', inputTokens: 3_000, outputTokens: 1_500 },
    ]);
  });

  test('counts a message once when its lines come again', () => {
    const lines = [...turnOf(60), ...turnOf(60)];
    expect(recordedOf(lines).entries).toMatchObject([{ inputTokens: 600, outputTokens: 300 }]);
  });

  test('counts the last figures of messages that speakers take turns in', () => {
    const speakers = Array.from({ length: 30 }, (_, index) => `agent${index}`);
    const lines = [1, 9].flatMap((output) =>
      speakers.map((parent): Said => ({ id: `of ${parent}`, output, parent })),
    );
    expect(recordedOf(lines).entries).toMatchObject([{ inputTokens: 300, outputTokens: 270 }]);
  });

  test('is the same whether its messages are kept one by one or added up', () => {
    const message = fc.record({ lines: fc.integer({ min: 1, max: 3 }), output: fc.nat(50) });
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 60 }), (messages) => {
        const lines = messages.flatMap(({ lines: count, output }, index) =>
          Array.from({ length: count }, (_, line): Said => {
            return { id: `m${index}`, output: line === count - 1 ? output : 0, parent: null };
          }),
        );
        const outputTokens = messages.reduce((sum, { output }) => sum + output, 0);
        expect(recordedOf(lines).entries).toMatchObject([
          { inputTokens: messages.length * 10, outputTokens },
        ]);
      }),
      { numRuns: 60 },
    );
  });
});

test('what is kept of a turn does not grow with its length', () => {
  const size = (count: number) => JSON.stringify(recordedOf(turnOf(count)).state).length;
  expect(size(2_000)).toBeLessThan(size(250) * 1.1);
});
