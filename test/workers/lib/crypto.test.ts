import { describe, expect, it } from 'vitest';
import { equalSecrets, newId, newToken, sha256Hex } from '../../../workers/lib/crypto.ts';

describe('secrets', () => {
  it('are 256 bits of chance in characters that need no escaping', () => {
    const tokens = Array.from({ length: 200 }, newToken);
    expect(new Set(tokens).size).toBe(200);
    expect(tokens.every((token) => /^[\w-]{43}$/.test(token))).toBe(true);
  });

  it('are compared whole', async () => {
    expect(await equalSecrets('abc', 'abc')).toBe(true);
    expect(await equalSecrets('abc', 'abd')).toBe(false);
    expect(await equalSecrets('abc', 'abcabc')).toBe(false);
  });

  it('are hashed as everybody hashes', async () => {
    expect(await sha256Hex('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});

it('makes ids that sort by time', () => {
  const ids = [1_000, 2_000, 3_000_000_000_000].map((at) => newId('ses', at));
  expect(ids.toSorted()).toEqual(ids);
});
