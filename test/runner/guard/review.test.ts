import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkoutReview, PATCH_MAX_CHARS, REVIEW_FILES_MAX } from '../../../protocol/review.ts';
import type { OwnCheckout } from '../../../runner/guard/checkout.ts';
import { readPatch, reviewCheckout } from '../../../runner/guard/review.ts';
import {
  aDirectory,
  aRepository,
  commit,
  commitInCheckout,
  gitIn,
  ownCheckout,
  write,
} from './repositories.ts';
import { pointerText } from '../lfs/pointer-text.ts';

let source: string;
let checkout: OwnCheckout;

beforeEach(async () => {
  source = aRepository();
  commit(source, 'old/name.ts', 'one\ntwo\nthree\nfour\nfive\nsix\n');
  commit(source, 'gone.ts', 'x\n');
  checkout = await ownCheckout(source);
});

const named = async () => (await reviewCheckout(checkout)).files.map(({ path }) => path);
const patchOf = async (path: string) => {
  const { tree, files } = await reviewCheckout(checkout);
  const was = files.find((file) => file.path === path)?.was ?? undefined;
  return readPatch(checkout, { tree, path, was });
};

describe('what a session changed', () => {
  test('is nothing at first', async () => {
    const review = await reviewCheckout(checkout);
    expect(review).toMatchObject({ commits: 0, uncommittedFiles: 0, files: [], moreFiles: 0 });
    expect(review.tree).toBe(gitIn(source, 'rev-parse', 'HEAD^{tree}'));
  });

  test('is what it committed, what it did not, and what git does not know yet', async () => {
    const head = commitInCheckout(checkout, 'readme.md', 'hello\nworld\n');
    write(checkout.top, 'new file.ts', 'a\nb\n');
    renameSync(join(checkout.top, 'old/name.ts'), join(checkout.top, 'name "quoted"\n.ts'));
    rmSync(join(checkout.top, 'gone.ts'));
    writeFileSync(join(checkout.top, 'pixels.bin'), Buffer.from([0, 1, 2, 0]));
    const review = await reviewCheckout(checkout);
    expect(checkoutReview.parse(review)).toEqual(review);
    expect(review).toMatchObject({ head, commits: 1, uncommittedFiles: 5 });
    expect(review.files).toEqual([
      { path: 'gone.ts', was: null, change: 'deleted', additions: 0, deletions: 1 },
      {
        path: 'name "quoted"\n.ts',
        was: 'old/name.ts',
        change: 'renamed',
        additions: 0,
        deletions: 0,
      },
      { path: 'new file.ts', was: null, change: 'added', additions: 2, deletions: 0 },
      { path: 'pixels.bin', was: null, change: 'added', additions: null, deletions: null },
      { path: 'readme.md', was: null, change: 'edited', additions: 1, deletions: 0 },
    ]);
  });

  test('is no file of Git LFS whose pointer stands for what lies there, and each that has changed', async () => {
    const kept = ['picture', 'redrawn', 'made executable'];
    for (const name of kept) commit(source, name, pointerText(`the ${name}`));
    checkout = await ownCheckout(source);
    for (const name of kept) write(checkout.top, name, `the ${name}`);
    write(checkout.top, 'redrawn', 'THE redrawn');
    chmodSync(join(checkout.top, 'made executable'), 0o755);
    expect(await named()).toEqual(['made executable', 'redrawn']);
  });

  test('leaves out what git ignores', async () => {
    write(checkout.top, '.gitignore', 'build/\n');
    write(checkout.top, 'build/out.js', 'x');
    expect(await named()).toEqual(['.gitignore']);
  });

  test('is shown without a trace in the checkout or in the person’s repository', async () => {
    write(checkout.top, 'staged.ts', 'x\n');
    gitIn(checkout.top, 'add', 'staged.ts');
    write(checkout.top, 'loose.ts', 'y\n');
    const before = gitIn(checkout.top, 'status', '--porcelain');
    const objects = gitIn(checkout.top, 'count-objects', '-v');
    await reviewCheckout(checkout);
    expect(gitIn(checkout.top, 'status', '--porcelain')).toBe(before);
    expect(gitIn(checkout.top, 'count-objects', '-v')).toBe(objects);
    expect(gitIn(source, 'status', '--porcelain')).toBe('');
  });

  test('is cut where there are very many files, and says by how many', async () => {
    for (let index = 0; index < REVIEW_FILES_MAX + 3; index++)
      write(checkout.top, `many/${index}.txt`, 'x\n');
    const review = await reviewCheckout(checkout);
    expect([review.files.length, review.moreFiles]).toEqual([REVIEW_FILES_MAX, 3]);
  });

  test('runs nothing that the checkout names, and reads nothing behind its links', async () => {
    const proof = join(aDirectory(), 'ran');
    const trap = join(aDirectory(), 'trap.sh');
    writeFileSync(trap, `#!/bin/sh\necho ran >> '${proof}'\ncat\n`);
    chmodSync(trap, 0o755);
    write(checkout.top, '.gitattributes', '* filter=trap diff=trap\n');
    for (const [key, value] of [
      ['filter.trap.clean', trap],
      ['diff.trap.command', trap],
      ['diff.trap.textconv', trap],
      ['diff.external', trap],
      ['core.fsmonitor', trap],
    ] as const)
      gitIn(checkout.top, 'config', key, value);
    const secret = join(aDirectory(), 'secret');
    writeFileSync(secret, 'canary\n');
    symlinkSync(secret, join(checkout.top, 'link'));
    write(checkout.top, 'readme.md', 'changed\n');
    expect((await patchOf('readme.md')).patch).toContain('+changed');
    expect((await patchOf('link')).patch).not.toContain('canary');
    expect(existsSync(proof)).toBe(false);
  });

  test('is refused where the git directory was replaced', async () => {
    rmSync(join(checkout.top, '.git/objects'), { recursive: true });
    symlinkSync(join(source, '.git/objects'), join(checkout.top, '.git/objects'));
    await expect(reviewCheckout(checkout)).rejects.toMatchObject({ code: 'workspace_refused' });
  });
});

describe('a file of it', () => {
  test('is told as a patch from where the session began', async () => {
    commitInCheckout(checkout, 'readme.md', 'hello\nfirst\n');
    write(checkout.top, 'readme.md', 'hello\nsecond\n');
    const { patch, cutChars } = await patchOf('readme.md');
    expect(patch).toMatch(/@@ -1 \+1,2 @@\n hello\n\+second$/);
    expect(cutChars).toBe(0);
  });

  test('that moved names both of its places', async () => {
    mkdirSync(join(checkout.top, 'new'));
    renameSync(join(checkout.top, 'old/name.ts'), join(checkout.top, 'new/name.ts'));
    expect((await patchOf('new/name.ts')).patch).toContain('rename from old/name.ts');
  });

  test('whose name has the letters of a pattern is that file alone', async () => {
    write(checkout.top, '*.ts', 'star\n');
    write(checkout.top, 'other.ts', 'other\n');
    const { patch } = await patchOf('*.ts');
    expect(patch).toContain('+star');
    expect(patch).not.toContain('+other');
  });

  test('that is long is cut, and says by how much', async () => {
    write(checkout.top, 'long.txt', 'line\n'.repeat(PATCH_MAX_CHARS / 4));
    const { patch, cutChars } = await patchOf('long.txt');
    expect(patch).toHaveLength(PATCH_MAX_CHARS);
    expect(cutChars).toBeGreaterThan(40_000);
  });

  test('that did not change has no patch', async () => {
    expect(await patchOf('readme.md')).toEqual({ path: 'readme.md', patch: '', cutChars: 0 });
  });

  test('is the one that was listed, or is refused', async () => {
    write(checkout.top, 'readme.md', 'one\n');
    const { tree } = await reviewCheckout(checkout);
    write(checkout.top, 'readme.md', 'two\n');
    expect((await readPatch(checkout, { tree, path: 'readme.md' })).patch).toContain('+one');
    await reviewCheckout(checkout);
    await expect(readPatch(checkout, { tree, path: 'readme.md' })).rejects.toMatchObject({
      code: 'review_stale',
    });
    expect(readFileSync(join(checkout.top, 'readme.md'), 'utf8')).toBe('two\n');
  });
});
