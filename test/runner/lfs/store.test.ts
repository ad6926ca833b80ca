import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePointer } from '../../../runner/lfs/pointers.ts';
import { copyObject, keepObjects, objectPath, storeOf } from '../../../runner/lfs/store.ts';
import { aDirectory } from '../guard/repositories.ts';

const pointerTo = (text: string) => ({
  oid: createHash('sha256').update(text).digest('hex'),
  size: Buffer.byteLength(text),
});

/** Two stores, of which a session can write the first. */
function twoStores() {
  const top = aDirectory();
  const [from, to] = [join(top, 'from'), join(top, 'to')];
  const at = (text: string) => {
    const path = objectPath(from, pointerTo(text));
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
  return { top, from, to, at, copy: (text: string) => copyObject(from, to, pointerTo(text)) };
}

describe('a content of Git LFS', () => {
  it('is copied under the name that it has, and an empty one too', async () => {
    const { to, at, copy } = twoStores();
    for (const text of ['a picture', '']) {
      writeFileSync(at(text), text);
      expect(await copy(text)).toBe(true);
      expect(readFileSync(objectPath(to, pointerTo(text)), 'utf8')).toBe(text);
    }
  });

  it.each([
    ['has other words of the same length', (path: string) => writeFileSync(path, 'a PICTURE')],
    ['is shorter', (path: string) => writeFileSync(path, 'a pic')],
    [
      'is a pipe that nobody writes',
      (path: string) => execFileSync('sh', ['-c', `mkfifo '${path}'`]),
    ],
    ['is a directory', (path: string) => mkdirSync(path)],
    ['is not there', () => undefined],
  ])('that %s is not copied, and leaves nothing', async (_name, put) => {
    const { to, at, copy } = twoStores();
    put(at('a picture'));
    expect(await copy('a picture')).toBe(false);
    expect(existsSync(objectPath(to, pointerTo('a picture')))).toBe(false);
  });

  it('that a link leads out to is not copied, though it were the right one', async () => {
    const { top, at, copy } = twoStores();
    const elsewhere = join(top, 'elsewhere');
    writeFileSync(elsewhere, 'a picture');
    symlinkSync(elsewhere, at('a picture'));
    expect(await copy('a picture')).toBe(false);
    const directory = dirname(at('another'));
    writeFileSync(join(top, pointerTo('another').oid), 'another');
    rmSync(directory, { recursive: true });
    symlinkSync(top, directory);
    expect(await copy('another')).toBe(false);
  });

  it('is deleted once nothing needs it', async () => {
    const { to, at, copy } = twoStores();
    for (const text of ['kept', 'dropped']) {
      writeFileSync(at(text), text);
      await copy(text);
    }
    await keepObjects(to, new Set([pointerTo('kept').oid]));
    expect(existsSync(objectPath(to, pointerTo('kept')))).toBe(true);
    expect(existsSync(objectPath(to, pointerTo('dropped')))).toBe(false);
    await keepObjects(join(to, 'nowhere'), new Set());
  });
});

it('is kept where the person says, by a path or one of the repository', () => {
  const stored = (value: string) => storeOf('/r/.git', new Map([['lfs.storage', [value]]]));
  expect(storeOf('/r/.git')).toBe('/r/.git/lfs/objects');
  expect(stored('media')).toBe('/r/.git/media/objects');
  expect(stored('/big/disk')).toBe('/big/disk/objects');
});

it('reads a pointer only where there is a name and a size', () => {
  const oid = 'a'.repeat(64);
  const head = 'version https://git-lfs.github.com/spec/v1\n';
  expect(parsePointer(`${head}oid sha256:${oid}\nsize 12\n`)).toEqual({ oid, size: 12 });
  expect(parsePointer(`${head}ext-0-x sha256:${oid}\noid sha256:${oid}\nsize 0\n`)).toEqual({
    oid,
    size: 0,
  });
  expect(parsePointer(`${head}oid sha256:${oid}\n`)).toBeNull();
  expect(parsePointer(`${head}oid sha256:${oid.slice(1)}\nsize 12\n`)).toBeNull();
  expect(parsePointer(`# ${head}oid sha256:${oid}\nsize 12\n`)).toBeNull();
});
