import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isProgram, listRunning } from '../../../runner/process/by-hand.ts';
import { parseProcessFiles } from '../../../runner/process/lsof.ts';
import { until } from '../../support/until.ts';

const started: (() => void)[] = [];
afterEach(() => started.splice(0).forEach((end) => end()));

describe('the processes of a program', () => {
  test('are found by its name and tell their words and their directory', async () => {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), 'pilothouse-by-hand-')));
    const child = spawn('sleep', ['30'], { argv0: '/opt/bin/handmade', cwd: directory });
    started.push(() => {
      child.kill('SIGKILL');
      rmSync(directory, { recursive: true });
    });
    const found = await until('the process', () => listRunning('handmade')[0]);
    expect(found).toMatchObject({ pid: child.pid, directory });
    expect(listRunning('handmad')).toEqual([]);
  });

  test.each([
    ['/usr/local/bin/claude', true],
    ['claude.exe', true],
    ['/n/gemini-cli/bundle/claude.js', true],
    ['claude-old', false],
    ['/home/claude/run', false],
  ])('%s names it: %s', (word, named) => {
    expect(isProgram(word, 'claude')).toBe(named);
  });
});

test('what lsof prints gives each process its directory', () => {
  const output = 'p12\nfcwd\nn/Users/ada/site\np40\nfcwd\nn/with blank/in it\n';
  expect(parseProcessFiles(output)).toEqual([
    { pid: 12, path: '/Users/ada/site' },
    { pid: 40, path: '/with blank/in it' },
  ]);
  expect(parseProcessFiles('')).toEqual([]);
});
