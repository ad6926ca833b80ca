import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { capStderr, readStderrTail } from '../../../runner/process/stderr.ts';

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-stderr-'));
  path = join(directory, 'err');
});
afterEach(() => rmSync(directory, { recursive: true }));

test('the last twenty lines that say something are shown', () => {
  writeFileSync(path, Array.from({ length: 30 }, (_, index) => `line ${index}\n\n`).join(''));
  const tail = readStderrTail(path);
  expect(tail).toHaveLength(20);
  expect(tail.at(-1)).toBe('line 29');
  expect(tail[0]).toBe('line 10');
});

test('of a long file only its end is read, and no half line is shown', () => {
  writeFileSync(path, `${'x'.repeat(20_000)}\nlast\n`);
  expect(readStderrTail(path)).toEqual(['last']);
});

test('a file that is gone has no last words', () => {
  expect(readStderrTail(path)).toEqual([]);
});

test('a file that outgrew its bound begins again, and one that did not is left alone', () => {
  writeFileSync(path, 'x'.repeat(2_000));
  capStderr(path, 5_000);
  expect(statSync(path).size).toBe(2_000);
  capStderr(path, 1_000);
  expect(statSync(path).size).toBe(0);
  appendFileSync(path, 'after\n');
  expect(readStderrTail(path)).toEqual(['after']);
});
