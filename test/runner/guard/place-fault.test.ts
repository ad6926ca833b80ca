import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findPlaceFault } from '../../../runner/guard/place-fault.ts';
import { anOwnCheckout } from '../../support/runner-builders.ts';
import { aDirectory, SESSION } from './repositories.ts';

let top: string;
beforeEach(() => {
  top = join(aDirectory(), 'checkout');
  mkdirSync(join(top, 'app'), { recursive: true });
});
const own = (directory = top) => ({ ...anOwnCheckout(SESSION), top, directory });

test('a place that is there has no fault', () => {
  expect(findPlaceFault(own(join(top, 'app')))).toBeNull();
});

test('a checkout that is gone, or an empty directory in its stead, says where its commits are', () => {
  rmSync(join(top, 'app'), { recursive: true });
  for (const _ of ['empty', 'gone']) {
    expect(findPlaceFault(own())).toEqual({
      code: 'checkout_gone',
      detail: `Nothing is at ${top}. Commits of its turns are in /r on the branch pilothouse/work.`,
    });
    rmSync(top, { recursive: true, force: true });
  }
});

test('a checkout without the directory that the session works in is told apart', () => {
  const fault = findPlaceFault(own(join(top, 'gone')));
  expect(fault?.code).toBe('checkout_gone');
  expect(fault?.detail).toContain(`has no ${join(top, 'gone')} any more`);
});

test('a directory in place may be empty, and not gone', () => {
  const place = { mode: 'inPlace', sessionId: SESSION, branch: null, baseCommit: null } as const;
  const directory = join(top, 'app');
  expect(findPlaceFault({ ...place, directory })).toBeNull();
  rmSync(top, { recursive: true });
  expect(findPlaceFault({ ...place, directory })).toEqual({
    code: 'directory_missing',
    detail: directory,
  });
});
