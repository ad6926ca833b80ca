import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startShell } from '../../../../runner/engines/rehearsal/shell.ts';

let directory: string;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'pilothouse-shell-')));
});
afterEach(() => rmSync(directory, { recursive: true }));
const run = (command: string, timeoutMs = 20_000) => startShell(command, directory, timeoutMs);

test('a command runs where the conversation is, and its output comes without the last line’s end', async () => {
  expect(await run('pwd').ended).toEqual({ exitCode: 0, output: directory, interrupted: false });
});

test('a command that fails tells its status and what it said on either stream', async () => {
  const end = await run('echo out; echo err >&2; exit 3').ended;
  expect(end.exitCode).toBe(3);
  expect(end.output.split('\n').toSorted()).toEqual(['err', 'out']);
});

test('a command that takes too long is ended, with everything that it started', async () => {
  const end = await run('sleep 60 & sleep 60', 100).ended;
  expect(end).toMatchObject({ exitCode: null, interrupted: true });
});

test('an interrupt ends it, and a second one is nothing', async () => {
  const shell = run('echo begun; sleep 60');
  await new Promise((resolve) => shell.child.stdout?.once('data', resolve));
  shell.interrupt();
  const end = await shell.ended;
  shell.interrupt();
  expect(end).toEqual({ exitCode: null, output: 'begun', interrupted: true });
});

test('in a directory that is gone it ends as a shell would that is not found', async () => {
  const end = await startShell('ls', join(directory, 'gone'), 1_000).ended;
  expect(end.exitCode).toBe(127);
  expect(end.output).toContain('ENOENT');
});
