import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runnerId, sessionId } from '../../../protocol/ids.ts';
import { isWithinDirectory, normalDirectory, scopeKeyOf } from '../../../workers/policy/scope.ts';

const part = fc.constantFrom('a', 'b', '.', '..', '', 'a b', '…');
const path = fc.array(part, { maxLength: 8 }).map((parts) => `/${parts.join('/')}`);
const RUNNER = runnerId.parse('run_1');

describe('a directory in its one spelling', () => {
  it.each([
    ['/code/shop/', '/code/shop'],
    ['/code//shop', '/code/shop'],
    ['/code/./shop/../toy', '/code/toy'],
    ['/../../etc', '/etc'],
    ['/', '/'],
  ])('%s is %s', (given, normal) => {
    expect(normalDirectory(given)).toBe(normal);
  });

  it('stays as it is, and holds nothing that leads elsewhere', () => {
    fc.assert(
      fc.property(path, (given) => {
        const normal = normalDirectory(given);
        expect(normalDirectory(normal)).toBe(normal);
        expect(normal.split('/').slice(1)).not.toContain('..');
      }),
    );
  });

  it('lies within itself and every directory above it, and in no neighbour', () => {
    fc.assert(
      fc.property(path, path, (top, below) => {
        const normal = normalDirectory(top);
        const inside = normalDirectory(`${normal}/${below.replaceAll('..', '')}`);
        expect(isWithinDirectory(normal, inside)).toBe(true);
        if (normal !== '/') expect(isWithinDirectory(normal, `${normal}x`)).toBe(false);
      }),
    );
  });
});

describe('a scope as a key', () => {
  it('is one for every spelling of its directory, and another for every other scope', () => {
    const repository = (directory: string) =>
      scopeKeyOf({ kind: 'repository', runnerId: RUNNER, directory });
    expect(repository('/code/shop/')).toBe(repository('/code/./shop'));
    const keys = [
      scopeKeyOf({ kind: 'account' }),
      repository('/code'),
      repository('/code/shop'),
      scopeKeyOf({ kind: 'repository', runnerId: runnerId.parse('run_2'), directory: '/code' }),
      scopeKeyOf({ kind: 'session', sessionId: sessionId.parse('ses_1') }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});
