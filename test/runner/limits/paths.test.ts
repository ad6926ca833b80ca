import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expandHome, isWithin, realPathOf } from '../../../runner/limits/paths.ts';

const segment = fc
  .string({ minLength: 1, maxLength: 6 })
  .filter((name) => !/[/\0]/.test(name) && !/^\.{1,2}$/.test(name));
const segments = fc.array(segment, { maxLength: 5 });
const pathOf = (names: readonly string[]): string => `/${names.join('/')}`;

describe('isWithin', () => {
  test('takes a directory and everything below it', () => {
    expect(isWithin('/srv/app', '/srv/app')).toBe(true);
    expect(isWithin('/srv/app', '/srv/app/src/a')).toBe(true);
    expect(isWithin('/srv/app/', '/srv/app')).toBe(true);
    expect(isWithin('/', '/anything')).toBe(true);
  });

  test('does not take a neighbour whose name begins alike', () => {
    expect(isWithin('/srv/app', '/srv/app-old')).toBe(false);
    expect(isWithin('/srv/app', '/srv')).toBe(false);
  });

  test('does not let .. lead out', () => {
    expect(isWithin('/srv/app', '/srv/app/../other')).toBe(false);
    expect(isWithin('/srv/app', '/srv/app/../../etc/passwd')).toBe(false);
  });

  test('takes no relative path', () => {
    expect(isWithin('/srv', 'srv/app')).toBe(false);
    expect(isWithin('srv', 'srv/app')).toBe(false);
  });

  test('agrees with comparing the segments one by one', () => {
    fc.assert(
      fc.property(segments, segments, (top, inner) => {
        const expected = top.every((name, index) => inner[index] === name);
        expect(isWithin(pathOf(top), pathOf(inner))).toBe(expected);
        expect(isWithin(pathOf(top), pathOf([...top, ...inner]))).toBe(true);
      }),
    );
  });
});

describe('expandHome', () => {
  test('knows the person’s own home only', () => {
    expect(expandHome('~', '/home/ada')).toBe('/home/ada');
    expect(expandHome('~/code', '/home/ada')).toBe('/home/ada/code');
    expect(expandHome('~root/code', '/home/ada')).toBe('~root/code');
  });
});

describe('realPathOf', () => {
  test('follows links, and leaves what does not exist as it is written', () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'paths-')));
    mkdirSync(join(base, 'real'));
    symlinkSync(join(base, 'real'), join(base, 'link'));
    expect(realPathOf(join(base, 'link'))).toBe(join(base, 'real'));
    expect(realPathOf('/no/such/../place/')).toBe('/no/place');
  });
});
