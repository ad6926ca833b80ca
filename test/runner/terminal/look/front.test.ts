import { spawn, type ChildProcess } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import {
  parseGroups,
  parseLineMode,
  readFront,
  readLineMode,
  shellOf,
} from '../../../../runner/terminal/look/front.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

describe('who is in front in a terminal', () => {
  it('is read past a name that looks like the rest', () => {
    expect(parseGroups('7 (we) ird) S 1 200 300 34816 400 4194304')).toEqual({
      own: 200,
      front: 400,
    });
    expect(parseGroups('7 (x) S 1 200 300 0 -1 4194304')).toBeNull();
    expect(parseGroups('7 (x) Z 1 200 300 34816 400 4194304')).toBeNull();
  });

  it('is nobody known, where there is no terminal or no process', () => {
    const child = spawn('sleep', ['30'], { detached: true, stdio: 'ignore' });
    children.push(child);
    expect(readFront(child.pid ?? -1)).toEqual({ shell: null, leader: null, own: null });
    expect(readFront(2 ** 30).own).toBeNull();
  });
});

describe('a shell', () => {
  it.each([
    ['/usr/bin/bash', 'bash'],
    ['-zsh', 'zsh'],
    ['/opt/fish/bin/fish (deleted)', 'fish'],
    ['dash', 'dash'],
    ['/usr/bin/python3', null],
    ['/usr/bin/bashful', null],
    [null, null],
  ])('is told by its program: %s', (program, shell) => {
    expect(shellOf(program)).toBe(shell);
  });
});

describe('the mode of a line', () => {
  it('is read as Linux and macOS print it', () => {
    expect(parseLineMode('isig -icanon iexten -echo echoe')).toEqual({
      canonical: false,
      echo: false,
    });
    expect(parseLineMode('lflags: icanon isig iexten echo echoe')).toEqual({
      canonical: true,
      echo: true,
    });
    expect(parseLineMode('')).toBeNull();
  });

  it('is unknown of what is no terminal', async () => {
    expect(await readLineMode('/dev/null')).toBeNull();
    expect(await readLineMode('/nowhere')).toBeNull();
  });
});
