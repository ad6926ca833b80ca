import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OUTPUT_MAX_CHARS, OutputStore } from '../../../runner/sessions/output-store.ts';
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
  outputs.prune(now);
  expect(readdirSync(root)).toEqual([SESSION]);
  utimesSync(join(root, SESSION), new Date(now), new Date(now - 31 * 24 * 3_600_000));
  outputs.prune(now);
  expect(readdirSync(root)).toEqual([]);
});
