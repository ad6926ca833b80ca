import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aSpool } from '../../support/runner-builders.ts';
import { Descendants } from '../../../runner/process/descendants.ts';
import {
  identifyProcess,
  isRunning,
  readProcess,
  type ProcessIdentity,
} from '../../../runner/process/process-table.ts';
import { spawnEngine, type EngineProcess } from '../../../runner/process/spawn.ts';
import { terminateTree } from '../../../runner/process/terminate.ts';
import { until } from '../../support/until.ts';

let directory: string;
const strangers: number[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-terminate-'));
});
afterEach(() => {
  for (const pid of strangers.splice(0)) process.kill(pid, 'SIGKILL');
  rmSync(directory, { recursive: true });
});

const times = { inputMs: 100, termMs: 200 };
const env = { PATH: process.env['PATH'] ?? '' };

async function start(script: string, marker: string): Promise<EngineProcess> {
  const plan = { argv: ['bash', '-c', script], directory, env } as const;
  return spawnEngine({ ...plan, argv: [...plan.argv] }, aSpool(directory, marker), marker, []);
}

/** The processes that a script wrote down, one pid a line in `pids`. */
async function written(count: number): Promise<ProcessIdentity[]> {
  const path = join(directory, 'pids');
  const lines = await until(`${count} pids`, () => {
    const found = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
    return found.length >= count ? found : null;
  });
  return lines.map((line) => identifyProcess(Number(line)));
}

test('nothing that an engine started remains: children, grandchildren, background jobs, setsid', async () => {
  const engine = await start(
    `trap '' TERM; note() { echo $1 >> pids; }
     sleep 600 & note $!
     (sleep 600 & echo $! >> pids; sleep 600) & note $!
     setsid sleep 600 & note $!
     setsid bash -c 'trap "" TERM HUP; echo $$ >> pids; while :; do sleep 1; done' &
     setsid bash -c '(setsid sleep 600 & echo $! >> pids) & wait' &
     wait`,
    'ses_tree',
  );
  const members = await written(6);
  expect(members.every(isRunning)).toBe(true);
  const survivors = await terminateTree(new Descendants(engine.identity, 'ses_tree'), times);
  expect(survivors).toEqual([]);
  expect(members.filter(isRunning)).toEqual([]);
  expect(isRunning(engine.identity)).toBe(false);
});

test('one that left its session, lost its parent and cleared its environment was seen while it had a parent', async () => {
  const engine = await start(
    `bash -c 'env -i setsid bash -c "echo \\$\\$ >> pids; exec sleep 600" & echo $$ >> pids; exec sleep 600' & wait`,
    'ses_hidden',
  );
  const pair = await written(2);
  const parent = pair.find(({ pid }) =>
    pair.some((other) => readProcess(other.pid)?.parent === pid),
  );
  const hidden = pair.find((other) => other !== parent);
  if (!hidden || !parent) throw new Error('the script writes a parent and its child');
  const family = new Descendants(engine.identity, 'ses_hidden');
  expect(family.sample()).toBe(true);
  process.kill(parent.pid, 'SIGKILL');
  await until(
    'the hidden one to lose its parent',
    () => readProcess(hidden.pid)?.parent !== parent.pid,
  );
  await terminateTree(family, times);
  expect(isRunning(hidden)).toBe(false);
});

test('one that the engine left behind is found by its mark although the engine is gone', async () => {
  const engine = await start(`setsid sleep 600 & echo $! >> pids`, 'ses_left');
  const [left] = await written(1);
  await engine.exited;
  const family = new Descendants({ pid: -1, startedAt: '' }, 'ses_left');
  await terminateTree(family, times);
  expect(left && isRunning(left)).toBe(false);
});

test('the same engine, run by hand beside it, is never signalled (P2)', async () => {
  const script = 'sleep 600 & wait';
  const byHand = spawn('bash', ['-c', script], { cwd: directory, detached: true, stdio: 'ignore' });
  strangers.push(byHand.pid ?? 0);
  const engine = await start(script, 'ses_ours');
  const stranger = identifyProcess(byHand.pid ?? 0);
  await terminateTree(new Descendants(engine.identity, 'ses_ours'), times);
  expect(isRunning(engine.identity)).toBe(false);
  expect(isRunning(stranger)).toBe(true);
});

test('a process that was given the pid of an engine is never signalled', async () => {
  const stranger = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  strangers.push(stranger.pid ?? 0);
  await new Promise((resolve) => stranger.once('spawn', resolve));
  const stale = { pid: stranger.pid ?? 0, startedAt: 'earlier:1' };
  await terminateTree(new Descendants(stale, 'ses_stale'), times);
  expect(isRunning(identifyProcess(stale.pid))).toBe(true);
});

test('what has an end of its input, as a terminal, ends by it and is not signalled at all', async () => {
  const program = 'trap "echo term > signal" TERM; cat > /dev/null';
  const child = spawn('bash', ['-c', program], {
    cwd: directory,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const family = new Descendants(identifyProcess(child.pid ?? 0), 'ses_polite');
  await terminateTree(family, { inputMs: 5_000, termMs: 200 }, () => child.stdin.end());
  expect(isRunning(family.root)).toBe(false);
  expect(existsSync(join(directory, 'signal'))).toBe(false);
});
