import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckoutReview } from '../../../../protocol/review.ts';
import { EXIT } from '../../../../runner/failure.ts';
import { jsonOf, runOn } from '../../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../../support/fake-cloud.ts';
import { FakeSession } from '../../../support/fake-session.ts';
import { created, SESSION } from '../../../support/protocol-builders.ts';

const TREE = 'a'.repeat(40);
const REVIEW: CheckoutReview = {
  sessionId: SESSION,
  branch: 'pilothouse/fix',
  base: 'b'.repeat(40),
  head: 'c'.repeat(40),
  tree: TREE,
  commits: 1,
  uncommittedFiles: 2,
  files: [
    { path: 'src/a.ts', was: null, change: 'edited', additions: 3, deletions: 1 },
    { path: 'b.png', was: 'old.png', change: 'renamed', additions: null, deletions: null },
  ],
  moreFiles: 4,
};
const PATCH = {
  path: 'src/a.ts',
  patch: '@@ -1 +1 @@\n-old\n+new \u001b[31mred\u001b[0m\n',
  cutChars: 7,
};

let cloud: FakeCloud;
const show = (review: CheckoutReview) => {
  cloud.garble(/\/changes$/, JSON.stringify(review));
  cloud.garble(/\/changes\/patch$/, JSON.stringify(PATCH));
};
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.addSession(new FakeSession(SESSION, aRunner('run_1', 'laptop')), created());
});
afterEach(() => cloud.close());

describe('pilothouse sessions diff', () => {
  const diff = (...words: string[]) => runOn(cloud, 'sessions', 'diff', SESSION, ...words);

  it('lists the files, then tells each diff, without the codes of a terminal', async () => {
    show(REVIEW);
    const { exitCode, stdout } = await diff();
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toContain('pilothouse/fix: 1 commit, 2 files in no commit.');
    expect(stdout).toMatch(/src\/a\.ts +edited +\+3 −1/);
    expect(stdout).toMatch(/old\.png → b\.png +renamed +no text/);
    expect(stdout).toContain('And 4 more files.');
    expect(stdout).toContain('-old\n+new red\n');
    expect(stdout).toContain('(7 more characters)');
    expect(stdout).not.toContain('\u001b');
  });

  it('asks for the diffs of the files that are named alone', async () => {
    show(REVIEW);
    for (const path of ['src/a.ts', 'b.png']) expect((await diff(path)).exitCode).toBe(EXIT.ok);
    const asked = cloud.asked.filter(({ path }) => path.endsWith('/patch'));
    expect(asked.map(({ query }) => query)).toEqual([
      { tree: TREE, path: 'src/a.ts' },
      { tree: TREE, path: 'b.png', was: 'old.png' },
    ]);
  });

  it('asks for none with --stat', async () => {
    show(REVIEW);
    expect((await diff('--stat')).stdout).not.toContain('-old');
    expect(cloud.asked.some(({ path }) => path.endsWith('/patch'))).toBe(false);
  });

  it('names a path that did not change, and shows nothing else', async () => {
    show(REVIEW);
    const { exitCode, stdout, stderr } = await diff('src/b.ts');
    expect([exitCode, stdout]).toEqual([EXIT.usage, '']);
    expect(stderr).toMatch(/src\/b\.ts did not change.*--stat/);
  });

  it('says so where nothing differs', async () => {
    show({ ...REVIEW, files: [], moreFiles: 0, commits: 0, uncommittedFiles: 0 });
    expect((await diff()).stdout).toContain('Nothing differs');
  });

  it('is whole with --json', async () => {
    show(REVIEW);
    expect(await jsonOf(cloud, 'sessions', 'diff', SESSION)).toEqual({
      ...REVIEW,
      patches: [PATCH, PATCH],
    });
  });

  it('says when to look again while the session works', async () => {
    cloud.garble(/\/changes$/, JSON.stringify({ working: true }));
    const { exitCode, stderr } = await diff();
    expect(exitCode).toBe(EXIT.refused);
    expect(stderr).toContain('when the turn has ended');
  });
});
