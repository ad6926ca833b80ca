import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Spool } from '../../../runner/process/spool.ts';
import { until } from '../../support/until.ts';

let directory: string;
let path: string;
let spool: Spool | null = null;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-spool-'));
  path = join(directory, 'out');
  writeFileSync(path, '');
});
afterEach(() => {
  spool?.close();
  spool = null;
  rmSync(directory, { recursive: true });
});

test('a reader that starts again at the offset reads every line exactly once', () => {
  writeFileSync(path, 'one\ntwo\nthr');
  spool = new Spool(path, 0);
  const chunk = spool.read();
  expect(chunk?.lines).toEqual(['one', 'two']);
  spool.close();
  appendFileSync(path, 'ee\nfour\n');
  spool = new Spool(path, chunk?.offset ?? 0);
  expect(spool.read()?.lines).toEqual(['three', 'four']);
  expect(spool.read()).toBeNull();
});

test('the offset of a reader never lies inside a line', () => {
  writeFileSync(path, 'one\ntw');
  spool = new Spool(path, 0);
  expect(spool.read()?.offset).toBe(4);
  appendFileSync(path, 'o\n');
  expect(spool.read()?.offset).toBe(8);
});

test('a large spool is read in chunks, so that others get their turn', () => {
  writeFileSync(path, `${'x'.repeat(99)}\n`.repeat(10_000));
  spool = new Spool(path, 0);
  let lines = 0;
  let chunks = 0;
  for (let chunk = spool.read(); chunk; chunk = spool.read()) {
    lines += chunk.lines.length;
    chunks += 1;
  }
  expect(lines).toBe(10_000);
  expect(chunks).toBeGreaterThan(2);
});

test('what is written is noticed in about a millisecond', async () => {
  spool = new Spool(path, 0);
  const delays: number[] = [];
  let writtenAt = 0;
  spool.watch(() => {
    if (spool?.read()) delays.push(performance.now() - writtenAt);
  });
  for (let round = 1; round <= 60; round++) {
    writtenAt = performance.now();
    appendFileSync(path, `line ${round}\n`);
    await until('the line', () => delays.length >= round);
  }
  const p50 = delays.toSorted((a, b) => a - b)[30] ?? Infinity;
  expect(p50).toBeLessThan(5);
});
