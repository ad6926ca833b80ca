import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  hasVariable,
  identifyProcess,
  isRunning,
  listProcesses,
  parsePs,
  parseStat,
  readProcess,
} from '../../../runner/process/process-table.ts';

test('a process name with spaces and parentheses does not shift the fields', () => {
  const stat =
    '4242 (tmux: (a) b) S 17 4242 4200 0 -1 4194304 1 0 0 0 5 6 0 0 20 0 1 0 987654 1000 1';
  expect(parseStat(stat, 'boot')).toEqual({
    pid: 4242,
    startedAt: 'boot:987654',
    parent: 17,
    session: 4200,
    zombie: false,
  });
});

test('a line that is no process is none', () => {
  expect(parseStat('')).toBeNull();
  expect(parsePs('  PID TTY\n')).toEqual([]);
});

test('the process list of a Mac is understood', () => {
  const output =
    '  501   1 0      Ss   Mon Nov 24 10:00:00 2025\n  502 501 0      Z+   Mon Nov 24 10:00:01 2025\n';
  expect(parsePs(output)).toEqual([
    { pid: 501, parent: 1, session: 0, zombie: false, startedAt: 'Mon Nov 24 10:00:00 2025' },
    { pid: 502, parent: 501, session: 0, zombie: true, startedAt: 'Mon Nov 24 10:00:01 2025' },
  ]);
});

test('this process is in the table, running, with its parent', () => {
  const self = identifyProcess(process.pid);
  expect(isRunning(self)).toBe(true);
  expect(readProcess(process.pid)?.parent).toBe(process.ppid);
  expect(listProcesses().some((row) => row.pid === process.pid)).toBe(true);
});

test('a pid with another start is another process', () => {
  expect(isRunning({ pid: process.pid, startedAt: 'earlier:1' })).toBe(false);
});

test('the environment that a process was started with can be asked for one variable', async () => {
  const child = spawn('sleep', ['600'], { env: { ...process.env, MARK: 'yes' } });
  await new Promise((resolve) => child.once('spawn', resolve));
  expect(hasVariable(child.pid ?? 0, 'MARK', 'yes')).toBe(true);
  expect(hasVariable(child.pid ?? 0, 'MARK', 'ye')).toBe(false);
  child.kill('SIGKILL');
});
