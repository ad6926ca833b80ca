import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SHELLS, type ShellKind } from '../../../../runner/terminal/look/front.ts';
import { prepareRun, type RunFiles } from '../../../../runner/terminal/run/directory.ts';
import {
  beginMark,
  endMark,
  sourcedScript,
  sourceLine,
  WINDOW_SCRIPT,
} from '../../../../runner/terminal/run/scripts.ts';

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'pilothouse-scripts-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const FLAGS: Record<ShellKind, string[]> = {
  bash: ['--norc'],
  zsh: ['-f'],
  fish: ['--private'],
  dash: [],
};

/** Has a shell read lines, as it reads those that are typed. */
function read(shell: ShellKind, lines: string[], prepared: RunFiles) {
  const typed = join(root, 'typed');
  writeFileSync(typed, `${lines.join('\n')}\n`);
  const { stdout, stderr } = spawnSync(shell, [...FLAGS[shell], typed], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: root },
  });
  const from = stdout.indexOf(beginMark(prepared.id)) + beginMark(prepared.id).length;
  const mark = stdout.indexOf(endMark(prepared.id));
  return {
    output: stdout.slice(from, mark),
    code: Number.parseInt(stdout.slice(mark + endMark(prepared.id).length), 10),
    after: stdout.slice(stdout.indexOf('\x07', mark) + 1),
    stderr,
  };
}
const prepare = (shell: ShellKind, command: string) =>
  prepareRun(root, command, (directory, id) => sourcedScript(shell, directory, id));

describe.each(SHELLS)('a command that is sourced by %s', (shell) => {
  it.each([
    ['true', 0],
    ['false', 1],
    ['sh -c "exit 42"', 42],
    ['/nowhere/at/all', 127],
  ])('keeps the exit code of %s, in its mark, its file and the shell', (command, code) => {
    const prepared = prepare(shell, command);
    const status = shell === 'fish' ? 'echo $status' : 'echo $?';
    const ran = read(shell, [sourceLine(shell, prepared.directory), status], prepared);
    expect(ran).toMatchObject({ code, after: `${code}\n` });
    expect(prepared.exitCode()).toBe(code);
  });

  it('gives its output to the letter', () => {
    const prepared = prepare(shell, `printf '%s\\n' 'it' "\\"s" '$HOME' '\`x\`' '\\\\' ''`);
    expect(read(shell, [sourceLine(shell, prepared.directory)], prepared).output).toMatch(
      /^it\n"s\n\$HOME\n`x`\n\\{1,2}\n\n$/,
    );
  });

  it('leaves its own changes to the shell, and no variable of ours', () => {
    const set = shell === 'fish' ? 'set -g mine yes' : 'mine=yes';
    const prepared = prepare(shell, `cd /; ${set}`);
    const names = shell === 'fish' ? 'set -n' : 'set';
    const marked = [names, sourceLine(shell, prepared.directory), 'echo $mine; pwd', names];
    const { after } = read(shell, marked, prepared);
    expect(after.startsWith('yes\n/\n')).toBe(true);
    expect(after).not.toContain(`\nrc`);
    expect(after.match(/^id=/m)).toBeNull();
  });

  it('is not led astray by names that the person gave to other things', () => {
    const prepared = prepare(shell, 'echo out');
    const functions =
      shell === 'fish'
        ? ['function printf; end', 'function mv; end', 'function source; end; functions -e source']
        : ['printf() { :; }', 'mv() { :; }', 'cat() { :; }'];
    const ran = read(shell, [...functions, sourceLine(shell, prepared.directory)], prepared);
    expect(ran).toMatchObject({ output: 'out\n', code: 0 });
  });

  it('that does not parse ends with a code, and the shell goes on', () => {
    const prepared = prepare(shell, 'echo "open');
    const ran = read(shell, [sourceLine(shell, prepared.directory), 'echo goes on'], prepared);
    // dash gives up what it reads; then there is no code, and none is made up.
    if (Number.isNaN(ran.code)) expect(prepared.exitCode()).toBeNull();
    else expect(ran.code).toBeGreaterThan(0);
  });
});

describe('a command in a window', () => {
  it.each([
    ['exit 3', 3],
    ['kill -9 $$', 137],
    ['kill -INT $$', 130],
  ])('keeps the exit code of %s', (command, code) => {
    const prepared = prepareRun(root, command);
    // Without the half hour for which it holds its window.
    const script = WINDOW_SCRIPT.replace('exec sleep 1800', '');
    const words = ['-c', script, 'sh', prepared.directory, prepared.id, '/bin/bash'];
    const { stdout } = spawnSync('/bin/sh', words, { encoding: 'utf8' });
    expect(prepared.exitCode()).toBe(code);
    expect(stdout).toContain(`${endMark(prepared.id)}${code}\x07`);
  });
});

describe('the files of a command', () => {
  it('are the person’s alone, and go when they are removed', () => {
    const prepared = prepareRun(root, 'echo hi');
    expect(readFileSync(join(prepared.directory, 'command'), 'utf8')).toBe('echo hi\n');
    expect(prepared.exitCode()).toBeNull();
    writeFileSync(join(prepared.directory, 'exit'), '7\n');
    expect(prepared.exitCode()).toBe(7);
    prepared.remove();
    expect(existsSync(prepared.directory)).toBe(false);
  });

  it('lie elsewhere where their path would mean something in a shell', () => {
    const prepared = prepareRun(join(root, "it's $HOME"), 'true');
    expect(prepared.directory).toMatch(/^[\w/.@+-]+$/);
    prepared.remove();
  });

  it('have ids that nobody can guess', () => {
    const ids = new Set(Array.from({ length: 50 }, () => prepareRun(root, 'true').id));
    expect(ids.size).toBe(50);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });
});
