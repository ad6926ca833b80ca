import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OUTPUT_MAX_CHARS, OutputStore } from '../../../runner/sessions/output-store.ts';
import { DAY_MS } from '../../../protocol/retention.ts';
import { SESSION } from '../../support/protocol-builders.ts';

let root: string;
let outputs: OutputStore;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pilothouse-outputs-'));
  outputs = new OutputStore(root);
});
afterEach(() => rmSync(root, { recursive: true }));

test('an output is read back whole, with its size', () => {
  outputs.save(SESSION, 'toolu_1', 'häuser');
  expect(outputs.read(SESSION, 'toolu_1')).toEqual({ text: 'häuser', bytes: 7 });
});

test('of a session with more than is kept, the oldest outputs make room', () => {
  outputs = new OutputStore(root, 1_000);
  for (const [index, id] of ['old', 'middle', 'new'].entries()) {
    outputs.save(SESSION, id, 'x'.repeat(300));
    const newest = readdirSync(join(root, SESSION))
      .map((name) => join(root, SESSION, name))
      .find((path) => statSync(path).mtimeMs > 10_000);
    utimesSync(newest ?? '', index, index);
  }
  new OutputStore(root, 1_000).save(SESSION, 'newest', 'x'.repeat(300));
  expect(outputs.read(SESSION, 'newest').bytes).toBe(300);
  expect(outputs.read(SESSION, 'new').bytes).toBe(300);
  expect(() => outputs.read(SESSION, 'old')).toThrow(
    expect.objectContaining({ code: 'output_not_found' }) as Error,
  );
  const sizes = readdirSync(join(root, SESSION)).map((name) => statSync(join(root, SESSION, name)));
  expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(1_000);
});

test('an output that is not kept is told by its code', () => {
  expect(() => outputs.read(SESSION, 'toolu_2')).toThrow(
    expect.objectContaining({ code: 'output_not_found' }) as Error,
  );
});

test('an engine cannot name a file outside the store', () => {
  outputs.save(SESSION, '../../../escaped', 'text');
  expect(readdirSync(root)).toEqual([SESSION]);
  expect(readdirSync(join(root, SESSION))).toHaveLength(1);
  expect(outputs.read(SESSION, '../../../escaped').text).toBe('text');
});

test('only its owner can read an output, and one beyond the bound is cut', () => {
  outputs.save(SESSION, 'toolu_3', 'x'.repeat(OUTPUT_MAX_CHARS + 10));
  const [name] = readdirSync(join(root, SESSION));
  const { mode, size } = statSync(join(root, SESSION, name ?? ''));
  expect(mode & 0o777).toBe(0o600);
  expect(size).toBe(OUTPUT_MAX_CHARS);
});

test('outputs of a session that was quiet for thirty days go, others stay', () => {
  outputs.save(SESSION, 'toolu_4', 'old');
  const now = Date.now();
  outputs.prune(now, 30 * DAY_MS);
  expect(readdirSync(root)).toEqual([SESSION]);
  utimesSync(join(root, SESSION), new Date(now), new Date(now - 31 * DAY_MS));
  outputs.prune(now, 30 * DAY_MS);
  expect(readdirSync(root)).toEqual([]);
  symlinkSync(join(root, 'nowhere'), join(root, 'a-link'));
  outputs.prune(now, 30 * DAY_MS);
  expect(readdirSync(root)).toEqual(['a-link']);
});
