import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { isInIndex } from '../../../runner/witness/pack-index.ts';
import { aDirectory, aRepository, commit, gitIn } from '../guard/repositories.ts';

const TABLE_AT = 8;
let index: string;
let oids: string[];

beforeAll(() => {
  const repository = aRepository();
  for (let at = 0; at < 6; at++) commit(repository, `${at}.md`, `${at}\n`);
  gitIn(repository, 'repack', '--quiet', '-a', '-d');
  const packs = join(repository, '.git', 'objects', 'pack');
  index = join(packs, readdirSync(packs).find((name) => name.endsWith('.idx')) ?? '');
  oids = gitIn(repository, 'rev-list', '--objects', '--all', '--no-object-names').split('\n');
});

/** A copy of the index, changed. */
function changed(change: (bytes: Buffer) => Buffer): string {
  const path = join(aDirectory(), 'pack.idx');
  writeFileSync(path, change(readFileSync(index)));
  return path;
}

describe('the index of a pack', () => {
  it('lists every object that git packed', () => {
    expect(oids.length).toBeGreaterThan(15);
    expect(oids.filter((oid) => !isInIndex(index, oid))).toEqual([]);
  });

  it('lists no other, be it before the first, after the last or a letter beside one', () => {
    const beside = oids.map((oid) => `${oid.slice(0, -1)}${oid.endsWith('0') ? '1' : '0'}`);
    const others = ['0'.repeat(40), 'f'.repeat(40), ...beside];
    expect(others.filter((oid) => isInIndex(index, oid))).toEqual([]);
  });

  it('lists nothing where it is missing, a directory or reached through a link', () => {
    const [oid = ''] = oids;
    const link = join(aDirectory(), 'pack.idx');
    symlinkSync(index, link);
    expect(isInIndex(link, oid)).toBe(false);
    expect(isInIndex(join(link, 'x'), oid)).toBe(false);
    expect(isInIndex(`${index}.missing`, oid)).toBe(false);
  });

  it('of another version lists nothing that could be told', () => {
    const [oid = ''] = oids;
    const older = changed((bytes) => {
      bytes.writeUInt32BE(1, 4);
      return bytes;
    });
    expect(isInIndex(older, oid)).toBe(false);
  });

  it('that is cut off lists what is whole, and reads nothing that is not there', () => {
    for (const length of [0, 7, TABLE_AT, TABLE_AT + 1023]) {
      const short = changed((bytes) => bytes.subarray(0, length));
      expect(oids.filter((oid) => isInIndex(short, oid))).toEqual([]);
    }
    const sorted = oids.toSorted();
    const half = changed((bytes) => bytes.subarray(0, TABLE_AT + 1024 + 20 * 3 + 10));
    expect(sorted.filter((oid) => isInIndex(half, oid))).toEqual(sorted.slice(0, 3));
  });

  it('that counts more objects than it has asks for no more memory than it is long', () => {
    const liar = changed((bytes) => {
      for (let byte = 0; byte < 256; byte++)
        bytes.writeUInt32BE(byte === 0 ? 0 : 0xffff_fff0, TABLE_AT + byte * 4);
      return bytes;
    });
    expect(isInIndex(liar, `01${'0'.repeat(38)}`)).toBe(false);
  });

  it('whose counts go backwards lists nothing behind the first of them', () => {
    const backwards = changed((bytes) => {
      for (let byte = 0; byte < 256; byte++) bytes.writeUInt32BE(256 - byte, TABLE_AT + byte * 4);
      return bytes;
    });
    const behind = oids.filter((oid) => !oid.startsWith('00'));
    expect(behind.filter((oid) => isInIndex(backwards, oid))).toEqual([]);
  });
});
