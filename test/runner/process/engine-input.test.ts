import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineInput, makeInput } from '../../../runner/process/engine-input.ts';
import { spawnEngine, type EngineProcess, type SpoolPaths } from '../../../runner/process/spawn.ts';
import { aSpool } from '../../support/runner-builders.ts';
import { until } from '../../support/until.ts';

let directory: string;
let spool: SpoolPaths;
const engines: EngineProcess[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-input-'));
  spool = aSpool(directory);
});
afterEach(async () => {
  for (const { identity, exited } of engines.splice(0)) {
    try {
      process.kill(-identity.pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
    await exited;
  }
  rmSync(directory, { recursive: true });
});

async function run(...argv: [string, ...string[]]): Promise<EngineProcess> {
  const env = { PATH: process.env['PATH'] ?? '' };
  const engine = await spawnEngine({ argv, directory, env }, spool, 'ses_one', []);
  engines.push(engine);
  return engine;
}

function openInput(): EngineInput {
  const input = EngineInput.open(spool.input);
  if (!input) throw new Error('nobody reads the input');
  return input;
}

const output = () => readFileSync(spool.out, 'utf8');
const untilOutput = (lines: readonly string[]) =>
  until('every line', () => output().split('\n').length > lines.length, { withinMs: 60_000 });

test('lines that are written arrive whole and in order, and it is told when all are in the pipe', async () => {
  await run('cat');
  const input = openInput();
  const lines = Array.from({ length: 500 }, (_, index) => `${index} ${'x'.repeat(5_000)}`);
  let told = 0;
  for (const line of lines) input.write(line, () => (told += 1));
  expect(input.unwrittenBytes).toBe(lines.join('\n').length + 1);
  await untilOutput(lines);
  expect(output().trimEnd().split('\n')).toEqual(lines);
  await until('being told', () => told > 0);
  expect([input.unwrittenBytes, told]).toEqual([0, 1]);
  input.close();
});

test('a writer that is gone is no end of the input, and another one goes on', async () => {
  await run('cat');
  for (const line of ['one', 'two']) {
    const input = openInput();
    await new Promise<void>((resolve) => input.write(line, resolve));
    input.close();
  }
  await untilOutput(['one', 'two']);
  expect(output()).toBe('one\ntwo\n');
});

test('an engine that does not read holds up what is written, and nothing else', async () => {
  await run('sleep', '600');
  const input = openInput();
  let told = false;
  input.write('x'.repeat(1024 * 1024), () => (told = true));
  // A file is read meanwhile: no thread of the pool waits for the pipe.
  await Promise.all(
    Array.from({ length: 8 }, async () => (await import('node:fs/promises')).readFile(spool.out)),
  );
  expect(told).toBe(false);
  expect(input.unwrittenBytes).toBe(1024 * 1024 + 1);
  input.close();
});

test('the pipe is its owner’s alone', async () => {
  await run('sleep', '600');
  const { mode } = statSync(spool.input);
  expect(mode & 0o777).toBe(0o600);
  expect(mode & constants.S_IFMT).toBe(constants.S_IFIFO);
});

test('a pipe that nobody reads, and one that is not there, cannot be written to', async () => {
  expect(EngineInput.open(spool.input)).toBeNull();
  await makeInput(spool.input);
  expect(EngineInput.open(spool.input)).toBeNull();
  const reader = openSync(spool.input, constants.O_RDONLY | constants.O_NONBLOCK);
  const input = EngineInput.open(spool.input);
  expect(input).not.toBeNull();
  input?.close();
  closeSync(reader);
});

test('writing to an engine that is gone is no error of ours, and is not told as written', async () => {
  const engine = await run('sleep', '0.2');
  const input = openInput();
  await engine.exited;
  let told = false;
  input.write('too late', () => (told = true));
  await new Promise((resolve) => setTimeout(resolve, 50));
  input.write('still too late', () => (told = true));
  expect(told).toBe(false);
});
