import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parsePointer,
  readNewPointers,
  readPointers,
  readTreePointers,
} from '../../../runner/lfs/pointers.ts';
import { aRepository, commit, gitIn } from '../guard/repositories.ts';

const oidOf = (digit: string) => digit.repeat(64);
const pointerText = (oid: string, size: number) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;
const [ONE, TWO] = [oidOf('1'), oidOf('2')];

describe('the text of a pointer', () => {
  it('is read whatever its size and name are', () => {
    const oid = fc.stringMatching(/^[0-9a-f]{64}$/);
    fc.assert(
      fc.property(oid, fc.nat(), (name, size) => {
        expect(parsePointer(pointerText(name, size))).toEqual({ oid: name, size });
      }),
    );
  });

  it.each([
    ['the name of before', pointerText(ONE, 7).replace('git-lfs.github', 'hawser.github')],
    [
      'extensions between its lines',
      pointerText(ONE, 7).replace('oid', `ext-0-x sha256:${TWO}\noid`),
    ],
  ])('is read with %s', (_, text) => {
    expect(parsePointer(text)).toEqual({ oid: ONE, size: 7 });
  });

  it.each([
    ['has no version', `oid sha256:${ONE}\nsize 7\n`],
    ['has words before its version', ` ${pointerText(ONE, 7)}`],
    ['is of another site', pointerText(ONE, 7).replace('git-lfs.github.com', 'evil.example')],
    ['has a name that is no SHA-256', pointerText('1'.repeat(63), 7)],
    ['has a name in capitals', pointerText('A'.repeat(64), 7)],
    ['has a name that leads out of the store', pointerText(`../${'1'.repeat(61)}`, 7)],
    ['has a size below nothing', pointerText(ONE, -7)],
    ['has a size that no number holds', `${pointerText(ONE, 7).slice(0, -2)}${'9'.repeat(16)}\n`],
    ['ends before its last line does', pointerText(ONE, 7).slice(0, -1)],
    ['is empty', ''],
  ])('that %s is none', (_, text) => {
    expect(parsePointer(text)).toBeNull();
  });
});

/** A repository whose files stand for content, beside what only looks so. */
function aShop() {
  const directory = aRepository();
  commit(directory, 'a picture.png', pointerText(ONE, 7));
  commit(directory, 'words.txt', 'words');
  const first = commit(directory, 'large.txt', `${pointerText(TWO, 9)}${'x'.repeat(2_000)}`);
  return { directory, first, options: { directory } };
}

describe('the pointers of a commit', () => {
  it('are those of its files, and a large file that begins like one is none', async () => {
    const { first, options } = aShop();
    expect(await readTreePointers(first, options)).toEqual([
      { oid: ONE, size: 7, path: 'a picture.png' },
    ]);
  });

  it('are found at paths with a line’s end or a tab in them', async () => {
    const { directory, options } = aShop();
    const last = commit(directory, 'odd\n\tname', pointerText(TWO, 9));
    expect(await readTreePointers(last, options)).toContainEqual({
      oid: TWO,
      size: 9,
      path: 'odd\n\tname',
    });
  });

  it('are only those that no ref holds yet, those of a deleted file too', async () => {
    const { directory, first, options } = aShop();
    gitIn(directory, 'checkout', '--quiet', '--detach');
    commit(directory, 'new.png', pointerText(TWO, 9));
    gitIn(directory, 'rm', '--quiet', 'new.png');
    gitIn(directory, 'commit', '--quiet', '-m', 'Delete it');
    const last = gitIn(directory, 'rev-parse', 'HEAD');
    const found = { oid: TWO, size: 9, path: 'new.png' };
    expect(await readNewPointers([last], options)).toEqual([found]);
    expect(await readNewPointers([first], options)).toEqual([]);
    expect(await readNewPointers([last], options, ['--not', last])).toEqual([]);
    const all = await readNewPointers([last], options, []);
    expect(all.map(({ path }) => path).toSorted()).toEqual(['a picture.png', 'new.png']);
  });

  it('are none where a ref is deleted', async () => {
    const { options } = aShop();
    expect(await readNewPointers(['0'.repeat(40)], options)).toEqual([]);
  });

  it('are looked for in nothing that is too large for one, or too small', async () => {
    const { directory, options } = aShop();
    const odd = {
      'large.txt': pointerText(TWO, 9) + '\n'.repeat(1_024),
      'small.txt': pointerText(ONE, 7).slice(0, 119),
    };
    const paths = new Map(
      Object.entries(odd).map(([name, text]) => {
        const last = commit(directory, name, text);
        return [gitIn(directory, 'rev-parse', `${last}:${name}`), name];
      }),
    );
    expect(await readPointers(paths, options)).toEqual([]);
  });

  it('are told from one another, though one file holds what git writes about two', async () => {
    const { directory, options } = aShop();
    const forged = `${ONE.slice(0, 40)} blob\n${pointerText(TWO, 9)}`;
    const last = commit(directory, 'forged.txt', forged);
    const id = gitIn(directory, 'rev-parse', `${last}:forged.txt`);
    const real = gitIn(directory, 'rev-parse', `${last}:a picture.png`);
    const paths = new Map([
      [id, 'forged.txt'],
      [real, 'a picture.png'],
      [ONE.slice(0, 40), 'not there'],
    ]);
    expect(await readPointers(paths, options)).toEqual([
      { oid: ONE, size: 7, path: 'a picture.png' },
    ]);
    expect(await readPointers(new Map(), options)).toEqual([]);
  });
});
