import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Descendants, standOf } from '../../../runner/process/descendants.ts';
import { parseExitStatus, readExitStatus } from '../../../runner/process/exit-status.ts';
import { spawnEngine, SpawnError, type SpoolPaths } from '../../../runner/process/spawn.ts';
import { signalEngine, terminateTree } from '../../../runner/process/terminate.ts';
import { aSpool } from '../../support/runner-builders.ts';
import { until } from '../../support/until.ts';

let directory: string;
let spool: SpoolPaths;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-one-shot-'));
  spool = aSpool(directory);
});
afterEach(() => rmSync(directory, { recursive: true }));

const STAND = standOf({ kept: true, sealed: false });
const env = { PATH: process.env['PATH'] ?? '' };
const run = async (argv: [string, ...string[]], input = '') => {
  const engine = await spawnEngine({ argv, directory, env, input }, spool, 'ses_one', []);
  return { ...engine, family: new Descendants(engine.identity, 'ses_one', [], STAND) };
};
const output = () => readFileSync(spool.out, 'utf8');

test('a one-shot process reads its whole input from a file that only its owner can read', async () => {
  const text = `it's "all" $(here) \`too\`\n${'x'.repeat(200_000)}`;
  const { exited } = await run(['cat'], text);
  await exited;
  expect(output()).toBe(text);
  expect(statSync(spool.input).mode & 0o777).toBe(0o600);
});

test('its arguments arrive as they are, whatever is in them', async () => {
  const words = [`a'b`, '"', '$HOME', '$(touch x)', 'two words', '', '-n', '\n', '*'];
  const { exited } = await run(['printf', '%s|', ...words]);
  await exited;
  expect(output()).toBe(words.map((word) => `${word}|`).join(''));
});

test.each([0, 1, 53, 127, 173, 247])('its exit status %i is kept', async (status) => {
  const { exited } = await run(['sh', '-c', `exit ${status}`]);
  await exited;
  expect(readExitStatus(spool.exit)).toEqual({ exitCode: status, signal: null });
});

test('an interrupt is for the engine, which may go on; what waits for it stays', async () => {
  const { exited, family } = await run([
    'sh',
    '-c',
    'trap "echo asked; exit 5" INT; echo up; while :; do sleep 0.02; done',
  ]);
  await until('it to be up', () => existsSync(spool.out) && output().includes('up'));
  signalEngine(family, 'SIGINT');
  await exited;
  expect(output()).toBe('up\nasked\n');
  expect(readExitStatus(spool.exit)).toEqual({ exitCode: 5, signal: null });
});

test('an interrupt ends an engine that does not care for it as it would from a terminal', async () => {
  const { exited, family } = await run(['sleep', '60']);
  await until('the engine to be there', () => family.hunt().length === 2);
  signalEngine(family, 'SIGINT');
  await exited;
  expect(readExitStatus(spool.exit)).toEqual({ exitCode: null, signal: 'SIGINT' });
});

test('an engine that ignores every wish is killed with its tools, and how it ended is kept', async () => {
  const { exited, family } = await run([
    'sh',
    '-c',
    'trap "" INT TERM; setsid sleep 60 & echo up; while :; do sleep 0.02; done',
  ]);
  await until('it to be up', () => existsSync(spool.out) && output().includes('up'));
  expect(await terminateTree(family, { inputMs: 0, termMs: 100 })).toEqual([]);
  await exited;
  expect(readExitStatus(spool.exit)).toEqual({ exitCode: null, signal: 'SIGKILL' });
});

test('a one-shot engine that is not there is told as such, not by a status of the shell', async () => {
  const starting = run([join(directory, 'absent')]);
  await expect(starting).rejects.toThrow(SpawnError);
  await expect(starting).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a status that was never written, or is not one, is unknown', () => {
  expect(readExitStatus(join(directory, 'none'))).toBeNull();
  for (const text of ['', '1', 'x\n', '1234\n', '-1\n'])
    expect(parseExitStatus(text), text).toBeNull();
});
