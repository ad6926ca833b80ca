import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { codexBooks } from '../../../../runner/engines/codex/books.ts';
import { type CodexState, openState } from '../../../../runner/engines/codex/state.ts';
import { lookThrough } from '../../../../runner/sessions/books-look.ts';
import { anEngineLaunch } from '../harness.ts';

const ID = '01a22a7c-3e76-7a01-9913-21d2cc644578';
const totals = (times: number) => ({
  input_tokens: 1_000 * times,
  cached_input_tokens: 400 * times,
  cache_write_input_tokens: 0,
  output_tokens: 60 * times,
});
const counted = (times: number) =>
  JSON.stringify({
    type: 'event_msg',
    payload: { type: 'token_count', info: { total_token_usage: totals(times) } },
  });

let home: string;
const day = () => join(home, 'sessions', '2026', '11', '30');
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pilothouse-rollout-'));
  mkdirSync(day(), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true }));

const books = codexBooks<CodexState>();
const state = (): CodexState => ({
  ...openState(anEngineLaunch()),
  totals: totals(1),
  model: 'gpt-5.5',
});
const write = (...lines: string[]) =>
  writeFileSync(join(day(), `rollout-2026-11-30T03-25-15-${ID}.jsonl`), `${lines.join('\n')}\n`);
const read = () =>
  books.read(
    lookThrough((path) => path),
    { engineSessionId: ID, directory: '/work' },
    { CODEX_HOME: home },
  );

it('takes what the thread’s total grew by for the least, and goes on from the new total', async () => {
  write(counted(1));
  const before = await read();
  write(counted(1), '{"type":"event_msg"}', counted(3), 'no json "token_count"');
  const settled = books.settle(state(), before, await read());
  expect(settled.usage).toBe('unsettled');
  expect(settled.entries).toMatchObject([
    { provenance: 'unsettled', inputTokens: 1_200, cacheReadTokens: 800, outputTokens: 120 },
  ]);
  expect(settled.entries[0]?.microUsd).toBeGreaterThan(0);
  expect(settled.state).toMatchObject({ totals: totals(3), unsettledTurns: 0 });
});

it('knows that nothing was asked', async () => {
  write(counted(1));
  const before = await read();
  expect(books.settle(state(), before, await read())).toMatchObject({ usage: 'none', entries: [] });
});

it('leaves it to the next turn to say so, where there is no total to read', async () => {
  write(counted(1));
  const before = await read();
  rmSync(day(), { recursive: true });
  const settled = books.settle(state(), before, await read());
  expect(settled).toMatchObject({ usage: 'unsettled', entries: [{ microUsd: null }] });
  expect(settled.state).toMatchObject({ totals: totals(1), unsettledTurns: 1 });
});
