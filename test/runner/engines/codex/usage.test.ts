import { describe, expect, test } from 'vitest';
import { codex } from '../../../../runner/engines/codex/preset.ts';
import type { CodexState } from '../../../../runner/engines/codex/state.ts';
import { decideDifference } from '../../../../runner/engines/codex/usage.ts';
import type { EngineExit } from '../../../../runner/engines/engine.ts';
import { eventsOf } from '../replay.ts';
import { aCodexLaunch, TURN } from './replay.ts';

const THREAD = '01a227ce-e986-76a2-98d9-e37381434603';
const usage = (input: number, cached: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  cache_write_input_tokens: 0,
  output_tokens: output,
});
const ENDED: EngineExit = { exitCode: 0, signal: null, expected: false, stderrTail: [] };

/** One turn in a process of its own, after what the last one left. */
function turn(before: CodexState | undefined, total: object | null, exit = ENDED) {
  let { state } = codex.open(aCodexLaunch(before ? THREAD : null), before);
  const items = [];
  const lines = [
    { type: 'thread.started', thread_id: THREAD },
    { type: 'turn.started' },
    { type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: 'hi' } },
    ...(total ? [{ type: 'turn.completed', usage: total }] : []),
  ];
  ({ state } = codex.encodeInstruction(state, { turnId: TURN, text: 'go' }, 0));
  for (const line of lines) {
    const step = codex.parse(state, JSON.stringify(line), 1);
    state = step.state;
    items.push(...step.items);
  }
  const end = codex.exit(state, exit, 2);
  const events = eventsOf([...items, ...end.items]);
  const entries = events.flatMap((event) => (event.type === 'usage/recorded' ? event.entries : []));
  const [ended] = events.flatMap((event) => (event.type === 'turn/ended' ? [event] : []));
  const codes = events.flatMap((event) => (event.type === 'notice/raised' ? [event.code] : []));
  // What the runner stores between two processes is JSON.
  return { state: JSON.parse(JSON.stringify(end.state)) as CodexState, entries, ended, codes };
}

describe('the figures of a thread', () => {
  test('are cumulative over its processes: each turn is what it added', () => {
    const first = turn(undefined, usage(1000, 400, 60));
    const second = turn(first.state, usage(3000, 900, 100));
    expect(first.entries).toMatchObject([
      { inputTokens: 600, cacheReadTokens: 400, outputTokens: 60, provenance: 'estimated' },
    ]);
    expect(second.entries).toMatchObject([
      { inputTokens: 1500, cacheReadTokens: 500, outputTokens: 40 },
    ]);
  });

  test('of a killed turn come with the next one, which says so', () => {
    const first = turn(undefined, usage(1000, 0, 10));
    const killed = turn(first.state, null, { ...ENDED, exitCode: null, signal: 'SIGKILL' });
    expect(killed.ended).toMatchObject({ outcome: 'killed', usage: 'unsettled' });
    expect(killed.entries).toMatchObject([{ provenance: 'unsettled', microUsd: null }]);
    const third = turn(killed.state, usage(3500, 0, 30));
    expect(third.entries).toMatchObject([{ inputTokens: 2500, outputTokens: 20 }]);
    expect(third.codes).toContain('usage_settled');
    expect(turn(third.state, usage(3600, 0, 31)).codes).not.toContain('usage_settled');
  });

  test('of a thread whose past is not known are refused, and known from there on', () => {
    const { state } = codex.open(aCodexLaunch(THREAD));
    const first = turn(state, usage(9000, 0, 900));
    expect(first.ended?.usage).toBe('unsettled');
    expect(first.codes).toContain('usage_refused');
    expect(turn(first.state, usage(9100, 0, 910)).entries).toMatchObject([
      { inputTokens: 100, outputTokens: 10 },
    ]);
  });

  test('of a thread that was begun by hand begin where its own file says', () => {
    const { state } = codex.open({
      ...aCodexLaunch(THREAD),
      books: { totals: usage(9000, 0, 900) },
    });
    const first = turn(state, usage(9400, 0, 930));
    expect(first.ended?.usage).toBe('recorded');
    expect(first.entries).toMatchObject([{ inputTokens: 400, outputTokens: 30 }]);
  });

  test.each([
    ['absent', {}],
    ['negative', usage(-1, 0, 0)],
    ['no number', { ...usage(1, 0, 0), output_tokens: Number.NaN }],
    ['going backward', usage(999, 400, 60)],
    ['more cached than read', usage(1100, 1000, 61)],
  ])('that are %s are refused', (_what, raw) => {
    expect(decideDifference(usage(1000, 400, 60), raw)).toBeNull();
  });

  test('that add nothing are a turn without usage, which is told', () => {
    const first = turn(undefined, usage(1000, 0, 10));
    expect(turn(first.state, usage(1000, 0, 10)).ended?.usage).toBe('none');
  });
});
