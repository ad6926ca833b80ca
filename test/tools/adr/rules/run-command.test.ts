import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runCommand } from '../../../../tools/adr/rules/run-command.ts';

const RUN = new URL('../../../../tools/adr/rules/run-command.ts', import.meta.url).href;
let top: string;
let file: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'adr-command-'));
  file = join(top, 'pids');
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

/** A command of which one process stays, one is in a session of its own, and one has no parent. */
const lingering = (): string =>
  [
    "import { spawn } from 'node:child_process';",
    "import { appendFileSync } from 'node:fs';",
    `const note = (pid) => appendFileSync(${JSON.stringify(file)}, pid + '\\n');`,
    "const stay = ['-e', 'process.on(\"SIGTERM\", () => {}); setInterval(() => {}, 1000)'];",
    "const away = spawn(process.execPath, stay, { detached: true, stdio: 'ignore' });",
    'note(away.pid);',
    "const orphan = spawn('sh', ['-c', 'setsid sleep 300 >/dev/null 2>&1 & echo $!'], { stdio: ['ignore', 'pipe', 'ignore'] });",
    "orphan.stdout.on('data', (pid) => { note(String(pid).trim()); note(process.pid); });",
    'setInterval(() => {}, 1000);',
  ].join('\n');
const argv = (): [string, ...string[]] => [
  process.execPath,
  '--input-type=module',
  '-e',
  lingering(),
];

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // One that has ended and is not yet reaped by whoever inherited it is no process any more.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
};
const pids = (): number[] =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];

describe('a command that starts others which detach themselves', () => {
  it('leaves none of them behind at its time limit', async () => {
    const ended = await runCommand(argv(), { cwd: top, timeoutMs: 4_000 });
    expect(ended.timedOut).toBe(true);
    expect(pids()).toHaveLength(3);
    await vi.waitFor(() => expect(pids().filter(isAlive)).toEqual([]), 10_000);
  });

  it('leaves none of them behind when the check is interrupted', async () => {
    const options = JSON.stringify({ cwd: top, timeoutMs: 300_000 });
    const code = `const { runCommand } = await import(${JSON.stringify(RUN)}); await runCommand(${JSON.stringify(argv())}, ${options});`;
    const check = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' });
    const ended = new Promise((resolve) => void check.on('exit', (_, signal) => resolve(signal)));
    await vi.waitFor(() => expect(pids()).toHaveLength(3), 20_000);
    check.kill('SIGINT');
    expect(await ended).toBe('SIGINT');
    await vi.waitFor(() => expect(pids().filter(isAlive)).toEqual([]), 10_000);
  });
});

describe('a command that leaves something running on purpose', () => {
  it('is judged by its own end', async () => {
    const ended = await runCommand(['sh', '-c', 'sleep 5 & echo done; exit 3'], {
      cwd: top,
      timeoutMs: 60_000,
    });
    expect(ended).toEqual({ output: 'done', code: 3, timedOut: false, failure: null });
  });
});
