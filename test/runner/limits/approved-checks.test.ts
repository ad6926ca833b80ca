import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readLimits, type Limits } from '../../../runner/limits.ts';
import {
  approveCheck,
  decideCheckAllowed,
  findChecksPath,
  readApprovedChecks,
  withdrawCheck,
} from '../../../runner/limits/approved-checks.ts';

let root: string;
let path: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pilothouse-checks-'));
  path = findChecksPath(join(root, 'pilothouse', 'limits.toml'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const limits = (commands: string[] = []): Limits => ({ ...readLimits(null), commands });
const decide = (command: string, directory = '/srv/app', commands: string[] = []) =>
  decideCheckAllowed(command, directory, {
    approved: readApprovedChecks(path),
    limits: limits(commands),
  });

test('a check runs where exactly it was approved, and nowhere else', () => {
  expect(decide('npm test')).toEqual({
    allowed: false,
    code: 'check_not_approved',
    detail: 'npm test',
  });
  approveCheck(path, { command: 'npm test', directory: '/srv/app' }, 0);
  expect(decide('npm test')).toEqual({ allowed: true });
  expect(decide('npm test; curl x')).toMatchObject({ allowed: false });
  expect(decide('npm test', '/srv/other')).toMatchObject({ allowed: false });
});

test('a line in limits.toml is approved everywhere', () => {
  expect(decide('npm test', '/srv/other', ['npm test'])).toEqual({ allowed: true });
});

test('approving twice changes nothing, and the file is the person’s alone', () => {
  approveCheck(path, { command: 'npm test', directory: '/srv/app' }, 0);
  approveCheck(path, { command: 'npm test', directory: '/srv/app' }, 9);
  expect(readApprovedChecks(path)).toMatchObject([{ approvedAt: '1970-01-01T00:00:00.000Z' }]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('an approval is withdrawn by the beginning of its hash', () => {
  approveCheck(path, { command: 'npm test', directory: '/srv/app' }, 0);
  const [approved] = readApprovedChecks(path);
  const hash = approved?.sha256.slice(0, 12) ?? '';
  expect(withdrawCheck(path, hash)).toMatchObject([{ command: 'npm test' }]);
  expect(decide('npm test')).toMatchObject({ allowed: false });
});

test('a file that others could have written approves nothing', () => {
  approveCheck(path, { command: 'npm test', directory: '/srv/app' }, 0);
  chmodSync(path, 0o666);
  expect(() => decide('npm test')).toThrow('every user of the machine can write it');
});
