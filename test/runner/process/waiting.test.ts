import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeInput, openEnginesEnd } from '../../../runner/process/engine-input.ts';
import { waitsForInput } from '../../../runner/process/waiting.ts';
import { until } from '../../support/until.ts';

let directory: string;
let pipe: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-waiting-'));
  pipe = join(directory, 'in');
  await makeInput(pipe);
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

/** A real process whose standard input is the pipe, or a file that is empty. */
function run(command: string, args: string[], file: string | null = null) {
  if (file !== null) writeFileSync(file, '');
  const fd = openEnginesEnd(file ?? pipe);
  const child = spawn(command, args, { stdio: [fd, 'ignore', 'ignore'] });
  closeSync(fd);
  children.push(child);
  return child.pid ?? -1;
}
const settles = (pid: number) => until('it to wait', () => waitsForInput([pid], pipe));

describe.runIf(process.platform === 'linux')('whether a process waits for a line', () => {
  it('is true of a shell in `read`', async () => {
    expect(await settles(run('/bin/sh', ['-c', 'read -r line']))).toBe(true);
  });

  it('is true of a Node that listens', async () => {
    const program = 'process.stdin.on("data", () => undefined)';
    expect(await settles(run(process.execPath, ['-e', program]))).toBe(true);
  });

  it('is false of one that works, and of one that sleeps', async () => {
    const busy = run('/bin/sh', ['-c', 'while :; do :; done']);
    const asleep = run('sleep', ['60']);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(waitsForInput([busy, asleep], pipe)).toBe(false);
  });

  it('is false of a reader of something else', async () => {
    const other = join(directory, 'other');
    await makeInput(other);
    const fd = openEnginesEnd(other);
    const child = spawn('cat', { stdio: [fd, 'ignore', 'ignore'] });
    closeSync(fd);
    children.push(child);
    const pid = child.pid ?? -1;
    await until('it to wait there', () => waitsForInput([pid], other));
    expect(waitsForInput([pid], pipe)).toBe(false);
  });

  it('is true of a child that reads what its parent handed on', async () => {
    const pid = run('/bin/sh', ['-c', 'cat; :']);
    const family = () => [pid, pid + 1, pid + 2, pid + 3, pid + 4];
    expect(await until('the child to wait', () => waitsForInput(family(), pipe))).toBe(true);
    expect(waitsForInput([pid], pipe)).toBe(false);
  });

  it('is false where everybody, or the pipe, is gone', () => {
    expect(waitsForInput([], pipe)).toBe(false);
    expect(waitsForInput([2 ** 22 + 1], pipe)).toBe(false);
    expect(waitsForInput([process.pid], join(directory, 'never'))).toBe(false);
  });
});
