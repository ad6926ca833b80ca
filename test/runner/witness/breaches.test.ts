import { execFileSync } from 'node:child_process';
import { beforeEach, describe, expect, it } from 'vitest';
import { gitIn, commit } from '../guard/repositories.ts';
import { WitnessRoom } from './witness-room.ts';

let room: WitnessRoom;
const COMMIT = 'echo x >> work.md && git add -A && git commit -qm work';
/** Refs of a repository as they stand. */
const refsOf = (directory: string): string => gitIn(directory, 'for-each-ref');

describe('what the policy forbids and a session did all the same', () => {
  beforeEach(async () => {
    room = await WitnessRoom.make();
  });

  const forbidden = async (line: string, told = true) => {
    const { exitCode } = room.run(line);
    const outcome = exitCode === 0 ? 'done' : 'unknown';
    const { breaches } = await room.endTurn(told ? room.claim(line, outcome) : []);
    return breaches;
  };

  it.each([
    ['main', `${COMMIT}; git push origin HEAD:main`, /main is protected/],
    ['main by address', `${COMMIT}; git push "$REMOTE" HEAD:main`, /main is protected/],
    [
      'main, rewritten',
      `git commit -q --amend -m n --allow-empty; git push -f origin HEAD:main`,
      /forwards only|protected/,
    ],
    ['a tag', `${COMMIT}; git tag v9; git push origin v9`, /tags/],
    ['a moved tag', `${COMMIT}; git tag -f v0; git push -f origin v0`, /tags/],
    ['another branch, deleted', 'git push origin --delete old', /did not make/],
    [
      'a workflow',
      `mkdir -p .github/workflows; echo x > .github/workflows/a.yml; ${COMMIT}; git push origin HEAD:feature`,
      /\.github\/workflows\/a\.yml/,
    ],
    [
      'main of the person’s repository',
      `git -C "$REPOSITORY" switch -q --detach; ${COMMIT}; git push "$REPOSITORY" HEAD:main`,
      /main is protected/,
    ],
  ])('%s: is one, and its commands undo it', async (_what, line, rule) => {
    room.policy = { tags: 'never' };
    const before = [refsOf(room.remote), refsOf(room.repository)];
    const [breach, ...more] = await forbidden(line);
    expect(more).toEqual([]);
    expect(breach).toMatchObject({ seenBy: 'git' });
    expect(breach?.rule).toMatch(rule);
    expect([refsOf(room.remote), refsOf(room.repository)]).not.toEqual(before);
    for (const each of breach?.undo.commands ?? [])
      execFileSync('bash', ['-ec', each], {
        cwd: breach?.undo.directory ?? undefined,
        stdio: 'pipe',
      });
    expect(refsOf(room.remote)).toBe(before[0]);
    const mine = (text: string | undefined) =>
      text
        ?.split('\n')
        .filter((each) => !/refs\/(remotes|pilothouse|heads\/pilothouse)/.test(each));
    expect(mine(refsOf(room.repository))).toEqual(mine(before[1]));
  });

  it('is found also where nothing told of it', async () => {
    expect(await forbidden(`${COMMIT}; git push origin HEAD:main`, false)).toMatchObject([
      { kind: 'merge', seenBy: 'git', move: { place: 'origin', ref: 'refs/heads/main' } },
    ]);
  });

  it('undoes nothing that somebody did since', async () => {
    const [breach] = await forbidden(`${COMMIT}; git push origin HEAD:main`);
    gitIn(room.repository, 'pull', '--quiet', 'origin', 'main');
    commit(room.repository, 'later.md', 'theirs\n');
    gitIn(room.repository, 'push', '--quiet', 'origin', 'HEAD:main');
    const push = breach?.undo.commands.at(-1) ?? '';
    expect(() =>
      execFileSync('bash', ['-ec', push], { cwd: room.repository, stdio: 'pipe' }),
    ).toThrow();
  });

  it('is quoted, whatever a ref is called', async () => {
    room.policy = { protectedBranches: ['**'] };
    const line = `${COMMIT}; git push origin 'HEAD:refs/heads/x;touch\${IFS}owned'`;
    const [breach] = await forbidden(line);
    const undo = breach?.undo.commands.at(-1) ?? '';
    expect(undo).toContain("':refs/heads/x;touch${IFS}owned'");
    execFileSync('bash', ['-ec', undo], { cwd: room.repository, stdio: 'pipe' });
    expect(gitIn(room.repository, 'status', '--porcelain')).not.toContain('owned');
  });

  it.each([
    ['a feature', `${COMMIT}; git push origin HEAD:feature`, {}],
    ['its own branch, rewritten and deleted', `${COMMIT}; git push origin HEAD:feature`, {}],
    ['main where that is allowed', `${COMMIT}; git push origin HEAD:main`, { mode: 'merge' }],
    ['a new tag where that is allowed', 'git tag v9; git push origin v9', { tags: 'new' }],
  ] as const)('%s: is none', async (what, line, policy) => {
    room.policy = policy;
    expect(await forbidden(line)).toEqual([]);
    if (!what.startsWith('its own')) return;
    expect(
      await forbidden('git commit -q --amend -m other; git push -f origin HEAD:feature'),
    ).toEqual([]);
    expect(await forbidden('git push origin --delete feature')).toEqual([]);
  });

  it('is never a colleague’s push, nor the person’s own', async () => {
    gitIn(room.colleague(), 'push', '--quiet', 'origin', 'main');
    expect(await forbidden(`${COMMIT}; git push origin HEAD:main`)).toEqual([]);
    commit(room.repository, 'mine.md', 'mine\n');
    gitIn(room.repository, 'push', '--quiet', '--force', 'origin', 'main');
    gitIn(room.repository, 'push', '--quiet', 'origin', ':old');
    expect(await forbidden('true')).toEqual([]);
  });

  it('is nothing that a person was asked about and allowed', async () => {
    room.policy = { mode: 'ask' };
    const line = (ref: string) => `${COMMIT}; git push origin HEAD:${ref}`;
    room.allowed = ['tool-1'];
    expect(await forbidden(line('main'))).toEqual([]);
    room.allowed = [];
    const [breach] = await forbidden(line('main'));
    expect(breach?.rule).toContain('leaves this to a person');
  });

  it('is what the engine says that it did, where the refs cannot say anything', async () => {
    const merge = await room.endTurn(room.claim('gh pr merge 4 --squash'));
    expect(merge.breaches).toMatchObject([{ seenBy: 'stream', move: null, kind: 'merge' }]);
    expect(merge.breaches[0]?.undo.commands).toEqual(['gh pr view 4 --json state,mergeCommit']);
    room.run('mv "$REMOTE" "$REMOTE.away"');
    const push = await room.endTurn(room.claim('git push origin main'));
    expect(push.breaches).toMatchObject([{ seenBy: 'stream', kind: 'push' }]);
  });

  it.each([
    ['a push that moved nothing', 'git push origin HEAD:main', 'done'],
    ['a merge that failed', 'gh pr merge 4', 'not_done'],
    ['a merge of which nobody knows', 'gh pr merge 4', 'unknown'],
    ['a guess', 'curl -X PUT https://api.github.com/repos/a/b/pulls/4/merge', 'done'],
    ['a merge within the checkout', 'git merge other', 'done'],
    ['a pull request', 'gh pr create --fill', 'done'],
  ] as const)('is not %s', async (_what, line, outcome) => {
    expect((await room.endTurn(room.claim(line, outcome))).breaches).toEqual([]);
  });

  it('counts pull requests and releases where the policy names them', async () => {
    room.policy = { mode: 'none', tags: 'never' };
    const told = await room.endTurn([
      ...room.claim('gh pr create --fill'),
      ...room.claim('gh release create v2 --notes x'),
      ...room.claim('gh release upload v2 a.tgz'),
    ]);
    expect(told.breaches.map(({ kind }) => kind)).toEqual(['pull_request', 'release']);
  });
});

describe('in place', () => {
  it('leaves commits, branches and tags there to the work, and judges what leaves', async () => {
    room = await WitnessRoom.make('inPlace');
    room.run(`${COMMIT}; git switch -qc other; ${COMMIT}; git tag v4; git branch -D old`);
    expect((await room.endTurn()).breaches).toEqual([]);
    room.run('git push -q origin HEAD:main');
    expect((await room.endTurn()).breaches).toMatchObject([{ kind: 'merge' }]);
  });

  it('judges a merge into main, which git resets where it is checked out', async () => {
    room = await WitnessRoom.make('inPlace');
    room.run('git switch -qc feature');
    await room.begin();
    const before = gitIn(room.repository, 'rev-parse', 'main');
    room.run(`${COMMIT}; git switch -q main; git merge -q --no-edit feature`);
    const [breach] = (await room.endTurn()).breaches;
    for (const each of breach?.undo.commands ?? [])
      execFileSync('bash', ['-ec', each], { cwd: room.repository, stdio: 'pipe' });
    expect(gitIn(room.repository, 'rev-parse', 'main')).toBe(before);
    expect(gitIn(room.repository, 'status', '--porcelain')).toBe('');
  });
});
