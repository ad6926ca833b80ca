import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { askProgram } from '../../../runner/process/ask.ts';
import { readProcess } from '../../../runner/process/process-table.ts';

const home = mkdtempSync(join(tmpdir(), 'pilothouse-ask-'));
afterAll(() => rmSync(home, { recursive: true }));

/** Programs that leave somebody behind, and write down whom. */
const LEAVING = `sleep 300 & echo $! >>"$PIDS"
setsid sleep 300 & echo $! >>"$PIDS"
env -i /usr/bin/setsid /bin/sleep 300 & echo $! >>"$PIDS"`;

let made = 0;
async function ask(script: string, withinMs: number) {
  const path = join(home, `program-${made++}`);
  const pids = `${path}.pids`;
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  writeFileSync(pids, '');
  chmodSync(path, 0o755);
  const answer = await askProgram(path, [], { PATH: '/usr/bin:/bin', PIDS: pids }, withinMs);
  const left = readFileSync(pids, 'utf8').trim().split('\n').filter(Boolean).map(Number);
  return { answer, left };
}
const alive = (pid: number) => readProcess(pid)?.zombie === false;

describe('a program that is asked', () => {
  test('leaves nobody behind when it ends, although they hold its output', async () => {
    const { answer, left } = await ask(`${LEAVING}\necho said`, 60_000);
    expect(answer).toEqual({ output: 'said\n', errors: '', late: false });
    expect(left).toHaveLength(3);
    expect(left.filter(alive)).toEqual([]);
  });

  test('leaves nobody behind when it does not answer in time', async () => {
    const { answer, left } = await ask(`trap '' TERM\n${LEAVING}\necho begun; sleep 300`, 300);
    expect(answer).toMatchObject({ late: true });
    expect(left.filter(alive)).toEqual([]);
  });

  test('has no input to wait for', async () => {
    expect((await ask('cat; echo over', 60_000)).answer?.output).toBe('over\n');
  });
});
