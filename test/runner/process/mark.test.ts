import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Descendants } from '../../../runner/process/descendants.ts';
import {
  canMarkProcesses,
  LAUNCHERS,
  isMarked,
  markedArgv,
  markLimitOf,
  parseLockLimit,
} from '../../../runner/process/mark.ts';
import { identifyProcess, isRunning, readProcess } from '../../../runner/process/process-table.ts';
import { spawnEngine, type EngineProcess } from '../../../runner/process/spawn.ts';
import { terminateTree } from '../../../runner/process/terminate.ts';
import { aSpool } from '../../support/runner-builders.ts';
import { until } from '../../support/until.ts';

const times = { inputMs: 100, termMs: 200 };
let directory: string;
const strangers: ChildProcess[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-mark-'));
});
afterEach(() => {
  for (const stranger of strangers.splice(0)) stranger.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

const start = (script: string, marker: string): Promise<EngineProcess> =>
  spawnEngine(
    { argv: ['bash', '-c', script], directory, env: { PATH: process.env['PATH'] ?? '' } },
    aSpool(directory, marker),
    marker,
    [],
  );

const pidIn = (name: string): Promise<number> =>
  until(`a pid in ${name}`, () => {
    const path = join(directory, name);
    return existsSync(path) ? Number(readFileSync(path, 'utf8').trim()) || null : null;
  });

/** Forks twice, clears the environment, leads a session, leaves the directory, closes its files. */
const HIDE = (name: string) =>
  `env -i setsid -f bash -c 'echo $$ > ${name}.new; mv ${name}.new ${name}; cd /; exec /bin/sleep 600 <&- >&- 2>&-'`;

describe.runIf(process.platform === 'linux')('on Linux, the mark', () => {
  test('can be put on processes here', () => {
    expect(canMarkProcesses()).toBe(true);
  });

  test('ends one that gave up everything it was known by before anybody looked', async () => {
    const engine = await start(`${HIDE('hidden')}; exec sleep 600`, 'ses_hidden');
    const hidden = identifyProcess(await pidIn('hidden'));
    await until('it to lose its parent', () => {
      const row = readProcess(hidden.pid);
      return row !== null && row.parent !== engine.identity.pid && row.session === row.pid;
    });
    const family = new Descendants(engine.identity, 'ses_hidden');
    expect(await terminateTree(family, times)).toEqual([]);
    expect(isRunning(hidden)).toBe(false);
  });

  test('finds it for the next runner, when engine and records are gone', async () => {
    const engine = await start(HIDE('left'), 'ses_left');
    const left = identifyProcess(await pidIn('left'));
    await engine.exited;
    const family = new Descendants({ pid: -1, startedAt: '' }, 'ses_left');
    await terminateTree(family, times);
    expect(isRunning(left)).toBe(false);
  });

  test('is not on the person’s own shell in the checkout, nor on another session’s processes', async () => {
    const shell = spawn('bash', ['-c', 'echo ready; read line'], {
      cwd: directory,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    strangers.push(shell);
    await new Promise((resolve) => shell.stdout?.once('data', resolve));
    const other = await start(`${HIDE('other')}; exec sleep 600`, 'ses_other');
    const others = identifyProcess(await pidIn('other'));
    const engine = await start(`${HIDE('ours')}; exec sleep 600`, 'ses_ours');
    await pidIn('ours');
    await terminateTree(new Descendants(engine.identity, 'ses_ours'), times);
    expect(isRunning(identifyProcess(shell.pid ?? 0))).toBe(true);
    expect(isRunning(others)).toBe(true);
    await terminateTree(new Descendants(other.identity, 'ses_other'), times);
    expect(isRunning(others)).toBe(false);
  });

  test('keeps the engine’s pid, words and environment, whatever its variables are called', async () => {
    const [file, ...args] = markedArgv(['env'], 'ses_env');
    const child = spawn(file, args, { env: { PATH: process.env['PATH'], 'odd.name': 'kept' } });
    const chunks: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
    await new Promise((resolve) => child.once('close', resolve));
    expect(chunks.join('').trim().split('\n').toSorted()).toEqual([
      `PATH=${process.env['PATH']}`,
      'odd.name=kept',
    ]);
  });

  test('can be put on with every launcher that is installed', () => {
    const installed = LAUNCHERS.map((launcher) =>
      launcher(77, ['cat', '/proc/self/limits']),
    ).filter(([file]) => existsSync(file));
    expect(installed.length).toBeGreaterThan(0);
    for (const [file, ...args] of installed)
      expect(parseLockLimit(execFileSync(file, args, { encoding: 'utf8' }))).toBe('77');
  });

  test('is read from a process, and a missing process has none', async () => {
    const engine = await start('exec sleep 600', 'ses_read');
    await until('the program to be itself', () => isMarked(engine.identity.pid, 'ses_read'));
    expect(isMarked(engine.identity.pid, 'ses_rea')).toBe(false);
    expect(isMarked(2 ** 22 + 1, 'ses_read')).toBe(false);
    await terminateTree(new Descendants(engine.identity, 'ses_read'), times);
  });
});

test('a mark is a number that every shell can write, and another one for another session', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      const limit = markLimitOf(one);
      expect(Number.isSafeInteger(limit) && limit > 0).toBe(true);
      expect(limit === markLimitOf(other)).toBe(one === other);
    }),
  );
});

test('the limit is read by its name, and a table without it has none', () => {
  const table = 'Max open files  1024 4096 files\nMax file locks            12     34     locks\n';
  expect(parseLockLimit(table)).toBe('34');
  expect(parseLockLimit('Max file locks            unlimited            unlimited  locks')).toBe(
    'unlimited',
  );
  expect(parseLockLimit('Max open files  1024 4096 files\n')).toBeNull();
});
