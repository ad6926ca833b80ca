import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../../../runner/failure.ts';
import { jsonOf, runOn } from '../../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../../support/fake-cloud.ts';
import { FakeSession } from '../../../support/fake-session.ts';
import { created, SESSION } from '../../../support/protocol-builders.ts';

const TREE = 'a'.repeat(40);
const RESULT = {
  sessionId: SESSION,
  branch: 'pilothouse/fix',
  commit: 'c'.repeat(40),
  committed: true,
  pushed: false,
  pullRequest: null,
};

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.addSession(new FakeSession(SESSION, aRunner('run_1', 'laptop')), created());
  const review = {
    sessionId: SESSION,
    branch: 'pilothouse/fix',
    base: 'b'.repeat(40),
    head: 'c'.repeat(40),
    tree: TREE,
    commits: 1,
    uncommittedFiles: 0,
    files: [],
    moreFiles: 0,
  };
  cloud.garble(/\/changes$/, JSON.stringify(review));
});
afterEach(() => cloud.close());

describe('pilothouse sessions land', () => {
  const land = (...words: string[]) => runOn(cloud, 'sessions', 'land', SESSION, ...words);

  it('commits the files as they are, and says where they are now', async () => {
    cloud.garble(/\/land$/, JSON.stringify(RESULT));
    const { exitCode, stdout } = await land('-m', 'Fix it');
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toBe('Committed cccccccccccc on pilothouse/fix, in your repository too.\n');
    expect(cloud.requests('POST')).toMatchObject([
      { body: { tree: TREE, how: 'commit', message: 'Fix it', base: null } },
    ]);
  });

  it('goes as far as it is told, with the files that are named', async () => {
    const pullRequest = 'https://forge.example/octo/site/pull/7';
    const whole = { ...RESULT, committed: false, pushed: true, pullRequest };
    cloud.garble(/\/land$/, JSON.stringify(whole));
    const { stdout } = await land(
      '-m',
      'Fix it',
      '--as',
      'pull_request',
      '--base',
      'next',
      '--tree',
      'd'.repeat(40),
    );
    expect(stdout).toMatch(/committed already: c+ on[^]*Pushed\.[^]*octo\/site\/pull\/7\n$/);
    expect(cloud.requests('POST')).toMatchObject([
      { body: { tree: 'd'.repeat(40), how: 'pull_request', base: 'next' } },
    ]);
  });

  it('is whole with --json', async () => {
    cloud.garble(/\/land$/, JSON.stringify(RESULT));
    expect(await jsonOf(cloud, 'sessions', 'land', SESSION, '-m', 'x')).toEqual(RESULT);
  });

  it.each([
    [[], /required option.*--message/],
    [['-m', 'x', '--as', 'merge'], /--as/],
  ])('says what is missing of %j', async (words, why) => {
    const { exitCode, stderr } = await land(...words);
    expect(exitCode).toBe(EXIT.usage);
    expect(stderr).toMatch(why);
  });

  it('says what stood against it', async () => {
    cloud.refuse(/\/land$/, 'land_refused', 'It did not go all the way. (main is protected)');
    const { exitCode, stderr } = await land('-m', 'x', '--as', 'push');
    expect(exitCode).toBe(EXIT.refused);
    expect(stderr).toContain('main is protected');
  });
});
