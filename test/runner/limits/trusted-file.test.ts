import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { approval, ApprovalFile, hashOfRuns } from '../../../runner/limits/approval-file.ts';
import { isOwnPlace } from '../../../runner/limits/own-places.ts';
import { decideTrust, readTrusted, unreadable } from '../../../runner/limits/trusted-file.ts';

let room: string;
beforeEach(() => {
  room = realpathSync(mkdtempSync(join(tmpdir(), 'limits-')));
});
afterEach(() => rmSync(room, { recursive: true, force: true }));
const at = (name: string) => join(room, name);

describe('whether a file is the person’s alone', () => {
  const file = { mode: 0o100_600, uid: 1000, size: 10, isFile: () => true };
  const folder = { mode: 0o040_755 };
  test.each([
    ['theirs', file, folder, 1000, null],
    ['root’s', { ...file, uid: 0 }, folder, 1000, null],
    ['that of a group', { ...file, mode: 0o100_660 }, folder, 1000, null],
    ['another user’s', { ...file, uid: 1001 }, folder, 1000, 'another user'],
    ['anybody’s to write', { ...file, mode: 0o100_606 }, folder, 1000, 'on it'],
    ['anybody’s to replace', file, { mode: 0o040_777 }, 1000, 'on its directory'],
    ['in a sticky directory', file, { mode: 0o041_777 }, 1000, null],
    ['no file', { ...file, isFile: () => false }, folder, 1000, 'not a file'],
    ['as large as may be', { ...file, size: 1024 * 1024 }, folder, 1000, null],
    ['too large', { ...file, size: 1024 * 1024 + 1 }, folder, 1000, 'larger than'],
    ['on a machine without owners', { ...file, mode: 0o100_666, uid: 7 }, folder, null, null],
  ])('%s', (_whose, stats, directory, uid, words) => {
    expect(decideTrust(stats, directory, uid)).toEqual(words && expect.stringContaining(words));
  });
});

describe('a file that decides over a machine', () => {
  const reason = (path: string) => {
    try {
      return readTrusted(path);
    } catch (error) {
      return error;
    }
  };

  test('is none where it is not there, also below what is no directory', () => {
    writeFileSync(at('file'), 'x');
    expect(readTrusted(at('gone'))).toBeNull();
    expect(readTrusted(join(at('file'), 'below'))).toBeNull();
  });

  test('is read through a link, and a link into nothing is a refusal and not “no file”', () => {
    writeFileSync(at('file'), 'héllo', { mode: 0o600 });
    symlinkSync(at('file'), at('link'));
    symlinkSync(at('gone'), at('dangling'));
    expect(readTrusted(at('link'))).toBe('héllo');
    expect(reason(at('dangling'))).toMatchObject({ code: 'limits_unreadable' });
  });

  test('is refused with its path and what to run, where others can write it', () => {
    writeFileSync(at('file'), 'x');
    chmodSync(at('file'), 0o606);
    expect(reason(at('file'))).toMatchObject({
      code: 'limits_unreadable',
      context: { path: at('file'), line: null, detail: expect.stringContaining('chmod o-w') },
    });
  });

  test.each([
    ['a directory', () => mkdirSync(at('file'))],
    ['no text', () => writeFileSync(at('file'), Buffer.from([0x66, 0xff, 0xfe]))],
  ])('is refused where it is %s', (_what, make) => {
    make();
    expect(reason(at('file'))).toMatchObject({ code: 'limits_unreadable' });
  });

  test('is named with the line, where one is to be corrected', () => {
    expect(unreadable('/l.toml', 3, 'no').context).toMatchObject({ detail: '/l.toml, line 3: no' });
    expect(unreadable('/l.toml', null, 'no').context).toMatchObject({ detail: '/l.toml: no' });
  });
});

describe('a file of approvals', () => {
  const file = new ApprovalFile(z.strictObject({ ...approval, id: z.string() }), 'tool approve');
  const one = (id: string, runs = `run ${id}`) => ({ id, runs, sha256: hashOfRuns(runs) });
  const path = () => join(room, 'made', 'approved.json');

  test('is made with its directory, for the person alone, and leaves nothing beside it', () => {
    file.add(path(), one('a'), 0);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(statSync(join(room, 'made')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(room, 'made'))).toEqual(['approved.json']);
    expect(file.read(path())).toEqual([{ ...one('a'), approvedAt: '1970-01-01T00:00:00.000Z' }]);
  });

  test('keeps the first approval of what runs, whatever it is called later', () => {
    file.add(path(), one('a', 'same'), 0);
    file.add(path(), one('b', 'same'), 5000);
    expect(file.read(path()).map(({ id, approvedAt }) => [id, approvedAt.slice(17, 19)])).toEqual([
      ['a', '00'],
    ]);
  });

  test('gives back what goes, and stays as it is where nothing does', () => {
    for (const id of ['a', 'b', 'c']) file.add(path(), one(id), 0);
    const before = statSync(path()).ino;
    expect(file.withdraw(path(), () => false)).toEqual([]);
    expect(statSync(path()).ino).toBe(before);
    expect(file.withdraw(path(), ({ id }) => id !== 'b').map(({ id }) => id)).toEqual(['a', 'c']);
    expect(file.read(path()).map(({ id }) => id)).toEqual(['b']);
    expect(file.withdraw(at('gone.json'), () => true)).toEqual([]);
  });

  test.each([
    '',
    'null',
    '{ "approved": {} }',
    '{ "approved": [], "more": 1 }',
    '{ "approved": [{ "id": "a" }] }',
    `{ "approved": [{ "id": "a", "runs": "r", "sha256": "${'G'.repeat(64)}", "approvedAt": "2026-01-01T00:00:00Z" }] }`,
  ])('approves nothing as %j, says who writes it, and is not written over', (text) => {
    mkdirSync(join(room, 'made'));
    writeFileSync(path(), text, { mode: 0o600 });
    const refusal = expect.objectContaining({
      code: 'limits_unreadable',
      context: expect.objectContaining({ detail: expect.stringContaining('`tool approve`') }),
    });
    expect(() => file.read(path())).toThrow(refusal);
    expect(() => file.add(path(), one('a'), 0)).toThrow(refusal);
    expect(() => file.withdraw(path(), () => true)).toThrow(refusal);
  });
});

describe('whether a place is the runner’s own', () => {
  const own = ['/data/runner', '/data/caches'];
  /** A disk on which letters are not told apart, and one directory is mounted a second time. */
  const identify = (path: string) =>
    path.startsWith('/gone') ? null : path.toLowerCase().replace(/^\/mnt/, '/data/runner');

  test.each([
    ['/data/runner', true],
    ['/data/runner/seals/ses_1/home', true],
    ['/data/runner-of-others', false],
    ['/data', false],
    ['/DATA/Runner/seals', true],
    ['/mnt/seals', true],
    ['/srv/shop', false],
    ['/gone/away', false],
  ])('%s: %s', (path, isOwn) => {
    expect(isOwnPlace(own, path, identify)).toBe(isOwn);
  });

  test('is asked of the file system, by what is there', () => {
    mkdirSync(at('own/below'), { recursive: true });
    symlinkSync(at('own'), at('other-name'));
    expect(isOwnPlace([at('own')], join(at('other-name'), 'below', 'gone'))).toBe(true);
    expect(isOwnPlace([at('own')], at('neighbour'))).toBe(false);
    expect(isOwnPlace([at('gone')], at('own'))).toBe(false);
  });
});
