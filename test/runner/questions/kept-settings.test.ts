import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PilothouseError } from '../../../protocol/errors.ts';
import { keepSettings } from '../../../runner/questions/kept-settings.ts';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'pilothouse-kept-'))));
afterEach(() => rmSync(directory, { recursive: true }));
const DAY_MS = 24 * 60 * 60_000;

it('keeps settings for the person alone, as they are, and each but once', () => {
  const root = join(directory, 'agents');
  const path = keepSettings(root, '{"a":"it\'s"}');
  expect(readFileSync(path, 'utf8')).toBe('{"a":"it\'s"}');
  expect([statSync(path).mode & 0o777, statSync(root).mode & 0o777]).toEqual([0o600, 0o700]);
  writeFileSync(path, '{}');
  expect(keepSettings(root, '{"a":"it\'s"}')).toBe(path);
  expect(readFileSync(path, 'utf8')).toBe('{"a":"it\'s"}');
});

it('lets go of what no agent was begun with for long, and of nothing else', () => {
  const [old, other] = [keepSettings(directory, 'old'), keepSettings(directory, 'other')];
  keepSettings(directory, 'other', Date.now() + 89 * DAY_MS);
  expect([old, other].map((path) => existsSync(path))).toEqual([true, true]);
  keepSettings(directory, 'other', Date.now() + 91 * DAY_MS);
  expect(existsSync(old)).toBe(false);
});

it('is an error that says so where they cannot be kept', () => {
  writeFileSync(join(directory, 'file'), '');
  expect(() => keepSettings(join(directory, 'file', 'agents'), '{}')).toThrow(PilothouseError);
  expect(() => keepSettings(join(directory, 'file', 'agents'), '{}')).toThrow(/cannot be kept in/);
});
