import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeBooks } from '../../../../runner/engines/claude/books.ts';
import { lookThrough } from '../../../../runner/sessions/books-look.ts';

const ID = '6d1c2c0e-0000-4000-8000-000000000001';
const figures = (times: number, costUSD = 0.002 * times) => ({
  'claude-opus-5-5': {
    inputTokens: 100 * times,
    outputTokens: 50 * times,
    cacheReadInputTokens: 300 * times,
    cacheCreationInputTokens: 20 * times,
    costUSD,
  },
});
const costState = (times: number) =>
  JSON.stringify({ type: 'cost-state', sessionId: ID, modelUsage: figures(times) });
const words = JSON.stringify({ type: 'user', message: { content: '"cost-state" is a word' } });

let home: string;
let transcript: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pilothouse-books-'));
  mkdirSync(join(home, '.claude', 'projects', '-work'), { recursive: true });
  transcript = join(home, '.claude', 'projects', '-work', `${ID}.jsonl`);
});
afterEach(() => rmSync(home, { recursive: true }));

const write = (...lines: string[]) => writeFileSync(transcript, `${lines.join('\n')}\n`);
const leave = (record: object) =>
  writeFileSync(
    join(home, '.claude.json'),
    JSON.stringify({ projects: { '/other': {}, '/work': { lastSessionId: ID, ...record } } }),
  );
const read = () =>
  claudeBooks.read(
    lookThrough((path) => path),
    { engineSessionId: ID, directory: '/work' },
    { HOME: home },
  );
const settle = (before: unknown, after: unknown) => claudeBooks.settle(null, before, after);
const spent = (times: number) => [
  {
    model: 'claude-opus-5-5',
    provenance: 'reported',
    payer: 'unknown',
    inputTokens: 100 * times,
    outputTokens: 50 * times,
    cacheReadTokens: 300 * times,
    cacheWriteTokens: 20 * times,
    microUsd: 2_000 * times,
  },
];

describe('a version that carries its figures from process to process', () => {
  it('has spent what its last figures are above those before', async () => {
    write(words, costState(1), words);
    const before = await read();
    write(words, costState(1), words, words, costState(3), costState(3));
    expect(settle(before, await read())).toMatchObject({ usage: 'recorded', entries: spent(2) });
  });

  it('has spent nothing when it was opened, looked at and left', async () => {
    write(words, costState(1));
    const before = await read();
    write(words, costState(1), costState(1));
    expect(settle(before, await read())).toMatchObject({ usage: 'none', entries: [] });
  });

  it('is unsettled, with a line that says so, when it was killed and wrote nothing', async () => {
    write(words, costState(1));
    const before = await read();
    write(words, costState(1), words, words);
    const settled = settle(before, await read());
    expect(settled).toMatchObject({
      usage: 'unsettled',
      entries: [{ provenance: 'unsettled', microUsd: null }],
    });
  });

  it('is unsettled where its figures went backward', async () => {
    write(costState(3));
    const before = await read();
    write(costState(3), costState(2));
    expect(settle(before, await read()).usage).toBe('unsettled');
  });

  it('counts from nothing only where the whole conversation was looked through', async () => {
    write(words);
    const before = await read();
    write(words, costState(2));
    expect(settle(before, await read()).entries).toEqual(spent(2));
    writeFileSync(transcript, `${`${'x'.repeat(1_000_000)}\n`.repeat(5)}${words}\n`);
    const unseen = await read();
    write(words, costState(2));
    expect(settle(unseen, await read()).usage).toBe('unsettled');
  });
});

describe('a version that tells at its exit what that process cost', () => {
  it('has spent what it told, once', async () => {
    write(words);
    leave({ lastModelUsage: figures(1), lastDuration: 5 });
    const before = await read();
    expect(settle(before, await read()).usage).toBe('unsettled');
    leave({ lastModelUsage: figures(1), lastDuration: 6 });
    expect(settle(before, await read())).toMatchObject({ usage: 'recorded', entries: spent(1) });
  });

  it('is unsettled where the record is of another conversation, or of none', async () => {
    write(words);
    const before = await read();
    leave({ lastModelUsage: figures(1), lastSessionId: 'another' });
    expect(settle(before, await read()).usage).toBe('unsettled');
    writeFileSync(join(home, '.claude.json'), '{ half');
    expect(settle(before, await read()).usage).toBe('unsettled');
  });
});

it('does not follow a link that a session could lay', async () => {
  const other = join(home, 'other.jsonl');
  writeFileSync(other, `${costState(1)}\n`);
  symlinkSync(other, transcript);
  expect(await read()).toMatchObject({ carried: null, searched: false });
});
