import { describe, expect, test } from 'vitest';
import { actId } from '../../../protocol/ids.ts';
import type { RefMove } from '../../../protocol/witness.ts';
import type { Claim } from '../../../runner/witness/claims.ts';
import { undoClaim, undoMove } from '../../../runner/witness/undo.ts';

const OLD = 'a'.repeat(40);
const NEW = 'b'.repeat(40);
const ROOM = { directory: '/home/ada/site', head: 'main' };
const aMove = (over: Partial<RefMove> = {}): RefMove => ({
  place: 'origin',
  ref: 'refs/heads/main',
  before: OLD,
  after: NEW,
  ...over,
});

describe('a ref of a remote', () => {
  test.each<[string, Partial<RefMove>, string[]]>([
    [
      'that moved goes back, if it is still where the session left it',
      {},
      [
        'git fetch -- origin',
        `git push --force-with-lease=refs/heads/main:${NEW} -- origin ${OLD}:refs/heads/main`,
      ],
    ],
    [
      'that is new goes away',
      { before: null },
      [`git push --force-with-lease=refs/heads/main:${NEW} -- origin :refs/heads/main`],
    ],
    [
      'that was deleted comes back, if nobody has made it anew',
      { after: null },
      [
        'git fetch -- origin',
        `git push --force-with-lease=refs/heads/main: -- origin ${OLD}:refs/heads/main`,
      ],
    ],
  ])('%s', (_, over, commands) => {
    expect(undoMove(aMove(over), true, ROOM)).toMatchObject({
      directory: ROOM.directory,
      commands,
    });
  });

  test('whose remote has the name of an option is still a remote to git', () => {
    const { commands } = undoMove(aMove({ place: '--upload-pack=touch owned' }), true, ROOM);
    for (const command of commands) expect(command).toContain(" -- '--upload-pack=touch owned'");
  });

  test.each(['refs/heads/x;touch owned', 'refs/heads/$(id)', "refs/heads/it's"])(
    'of the hostile name %s is one word of the shell',
    (ref) => {
      const { commands } = undoMove(aMove({ ref }), true, ROOM);
      const quoted = `'${`${OLD}:${ref}`.replaceAll("'", String.raw`'\''`)}'`;
      expect(commands.at(-1)?.endsWith(quoted)).toBe(true);
    },
  );
});

describe('a ref of the person’s own repository', () => {
  test.each<[string, Partial<RefMove>, string]>([
    ['that is checked out keeps their changes', {}, `git reset --keep ${OLD}`],
    [
      'that is not checked out moves alone',
      { ref: 'refs/heads/dev' },
      `git update-ref refs/heads/dev ${OLD} ${NEW}`,
    ],
    ['that is new is deleted', { before: null }, `git update-ref -d refs/heads/main ${NEW}`],
    [
      'that was deleted is made where nothing is',
      { after: null },
      `git update-ref refs/heads/main ${OLD} ${'0'.repeat(40)}`,
    ],
  ])('%s', (_, over, command) => {
    expect(undoMove(aMove({ place: 'repository', ...over }), false, ROOM).commands).toEqual([
      command,
    ]);
  });

  test('names no branch that is checked out where there is none', () => {
    const { commands } = undoMove(aMove({ place: 'repository' }), false, { ...ROOM, head: null });
    expect(commands).toEqual([`git update-ref refs/heads/main ${OLD} ${NEW}`]);
  });
});

describe('what was asked of a forge', () => {
  const aClaim = (over: Partial<Claim>): Claim => ({
    actId: actId.parse('act_1'),
    kind: 'merge',
    command: 'gh pr merge 12',
    target: '12',
    gate: false,
    claimId: null,
    move: null,
    outcome: 'done',
    ...over,
  });

  test.each<[Partial<Claim>, string[]]>([
    [{}, ['gh pr view 12 --json state,mergeCommit']],
    [{ target: '12 --squash' }, ['gh pr view 12 --json state,mergeCommit']],
    [{ target: '--admin' }, []],
    [{ target: null }, []],
    [{ command: 'curl -X PUT https://api.github.com/repos/a/b/pulls/1/merge' }, []],
    [
      { kind: 'release', command: 'gh release create v1', target: 'v1' },
      ['gh release delete v1 --cleanup-tag'],
    ],
    [{ kind: 'release', command: 'gh release create', target: '-d' }, []],
    [{ kind: 'pull_request', command: 'gh pr create', target: null }, []],
  ])('%j is looked at or taken back by %j', (over, commands) => {
    const undoing = undoClaim(aClaim(over), '/home/ada/site');
    expect(undoing.commands).toEqual(commands);
    expect(undoing.note).not.toBe('');
  });
});
