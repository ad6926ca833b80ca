import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readProcess } from '../../../runner/process/process-table.ts';
import {
  SpawnError,
  spawnEngine,
  stripVariables,
  type SpoolPaths,
} from '../../../runner/process/spawn.ts';
import { aSpool } from '../../support/runner-builders.ts';

let directory: string;
let spool: SpoolPaths;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-spawn-'));
  spool = aSpool(directory);
});
afterEach(() => rmSync(directory, { recursive: true }));

const run = (argv: [string, ...string[]], env: Record<string, string> = {}, where = directory) =>
  spawnEngine(
    { argv, directory: where, env: { PATH: process.env['PATH'] ?? '', ...env } },
    spool,
    'ses_one',
    ['NESTED', /^INNER_/],
  );

test('what an engine writes goes to files that only their owner can read', async () => {
  const engine = await run(['sh', '-c', 'echo out; echo err >&2']);
  expect(await engine.exited).toEqual({ exitCode: 0, signal: null });
  expect(readFileSync(spool.out, 'utf8')).toBe('out\n');
  expect(readFileSync(spool.err, 'utf8')).toBe('err\n');
  expect(statSync(spool.out).mode & 0o777).toBe(0o600);
});

test('an engine leads a session of its own, so that a signal to ours does not reach it', async () => {
  const engine = await run(['sleep', '600']);
  expect(readProcess(engine.identity.pid)?.session).toBe(engine.identity.pid);
  process.kill(-engine.identity.pid, 'SIGKILL');
  await engine.exited;
});

test('an engine is marked, and is not told that it runs inside another one', async () => {
  const engine = await run(['env'], {
    NESTED: '1',
    INNER_ID: '2',
    KEPT: '3',
    PILOTHOUSE_RUNNER_TOKEN: 'secret',
  });
  await engine.exited;
  const lines = readFileSync(spool.out, 'utf8').split('\n');
  expect(lines).toContain('PILOTHOUSE_SESSION=ses_one');
  expect(lines).toContain('KEPT=3');
  expect(lines.filter((line) => /^(NESTED|INNER_|PILOTHOUSE_RUNNER)/.test(line))).toEqual([]);
});

test('an executable that is not there is told by its name and the system’s code', async () => {
  const failure = await run(['/nowhere/engine']).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SpawnError);
  expect(failure).toMatchObject({ code: 'ENOENT' });
});

test('a directory that is gone is blamed instead of the executable', async () => {
  const failure = await run(['true'], {}, join(directory, 'gone')).catch((error: unknown) => error);
  expect(String(failure)).toContain('gone does not exist');
});

test('stripping leaves every other variable as it was', () => {
  expect(
    stripVariables({ A: '1', CLAUDECODE: '1', CLAUDE_CONFIG_DIR: '/c' }, ['CLAUDECODE']),
  ).toEqual({ A: '1', CLAUDE_CONFIG_DIR: '/c' });
});
