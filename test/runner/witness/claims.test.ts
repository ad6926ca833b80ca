import { describe, expect, it } from 'vitest';
import { ACT_KINDS, type ActSeen } from '../../../protocol/act.ts';
import { actId } from '../../../protocol/ids.ts';
import { claimOf, fitOf, sendsRefs, type Claim } from '../../../runner/witness/claims.ts';
import { asksForge } from '../../../runner/gate/act-policy.ts';
import { aMove } from './builders.ts';

const COMMIT = 'b'.repeat(40);
const act = (over: Partial<ActSeen> = {}): ActSeen => ({
  actId: actId.parse('act_1'),
  turnId: null,
  toolId: 'tool_1',
  kind: 'push',
  command: 'git push origin main',
  target: 'origin main',
  witness: 'stream',
  uncertain: false,
  ...over,
});
/** What an act of the stream claims, of which only the kind, the command and the target matter. */
function told(kind: Claim['kind'], command: string, target: string | null = null): Claim {
  const claim = claimOf(act({ kind, command, target }));
  if (!claim) throw new Error(`${kind} claims nothing`);
  return claim;
}
describe('what an act claims about refs', () => {
  it('is nothing where it is about something else', () => {
    const silent = ACT_KINDS.filter((kind) => claimOf(act({ kind })) === null);
    expect(silent).toEqual([
      'pull_request_close',
      'comment',
      'deploy',
      'infrastructure',
      'migration',
      'drop',
      'remove',
      'secret_read',
      'permission',
      'commit',
    ]);
  });

  it('is nothing where refs themselves told of it: they are what a claim is held against', () => {
    expect(claimOf(act({ witness: 'git' }))).toBeNull();
  });

  it('is the ref and the commit where the gate saw it, and the act of the stream that it is', () => {
    const ref = 'refs/heads/main';
    const claimId = actId.parse('act_0');
    const seen = act({ witness: 'gate', claimId, move: { ref, before: '0', after: COMMIT } });
    expect(claimOf(seen)).toMatchObject({ gate: true, claimId, move: { ref, after: COMMIT } });
    expect(claimOf(act())).toMatchObject({ gate: false, claimId: null, move: null, outcome: null });
  });

  it('keeps the beginning of a long command', () => {
    expect(told('push', `git push ${'x'.repeat(900)}`).command).toHaveLength(500);
  });
});

describe('a command', () => {
  it.each([
    ['git push', true],
    ['git -C there push --tags', true],
    ['git svn dcommit', true],
    ['git send-pack host:x main', true],
    ['git update-ref refs/heads/main x', false],
    ['pushd there', false],
  ])('%s sends refs: %s', (command, sends) => {
    expect(sendsRefs({ command })).toBe(sends);
  });

  it.each([
    ['gh pr merge 4', true],
    ['glab mr merge 4', true],
    ['curl -X PUT https://api.github.com/x', true],
    ['ghq get x', false],
    ['git push gh main', false],
  ])('%s asks a forge: %s', (command, asks) => {
    expect(asksForge({ command })).toBe(asks);
  });
});

describe('a claim of the stream', () => {
  it.each([
    ['in full', told('push', 'git push origin refs/heads/main', 'origin refs/heads/main')],
    ['as what it becomes there', told('push', 'git push origin dev:main', 'origin dev:main')],
    ['behind the plus of a forced push', told('force_push', 'git push origin +main', 'origin')],
    ['in quotes', told('push', "git push origin 'main'", null)],
  ])('names a ref %s', (_how, claim) => {
    expect(fitOf(claim, aMove())).toBe(2);
  });

  it.each([
    'git push --all',
    'git push --mirror',
    'git push origin "$BRANCH"',
    'git push origin HEAD',
    'git push origin :',
    'git push origin --follow-tags dev next',
    'git push origin dev…',
  ])('that cannot be seen whole may be about any ref: %s', (command) => {
    expect(fitOf(told('push', command, command.slice(9)), aMove())).toBe(1);
  });

  it('that names two other refs is about those', () => {
    expect(fitOf(told('push', 'git push origin dev next', 'origin dev next'), aMove())).toBe(0);
  });

  it.each([
    ['a tag moves tags only', told('tag', 'git tag v1', 'v1'), aMove(), 0],
    ['a tag is that tag', told('tag', 'git tag v1', 'v1'), aMove({ ref: 'refs/tags/v1' }), 2],
    [
      'a tag is not the end of one',
      told('tag', 'git tag v1', 'v1'),
      aMove({ ref: 'refs/tags/v1', after: null }),
      0,
    ],
    [
      'a push takes nothing away',
      told('push', 'git push origin main', 'origin main'),
      aMove({ after: null }),
      0,
    ],
    [
      'a push that prunes does',
      told('push', 'git push --prune origin', 'origin'),
      aMove({ after: null }),
      1,
    ],
    [
      'a merge moves what it stands in',
      told('merge', 'git merge dev', 'dev'),
      aMove({ remote: false }),
      1,
    ],
    ['a merge here moves no remote', told('merge', 'git merge main', 'main'), aMove(), 0],
    [
      'a merge that is pushed does',
      told('merge', 'git push origin main', 'origin main'),
      aMove(),
      2,
    ],
    [
      'a merge takes nothing away',
      told('merge', 'git merge dev'),
      aMove({ after: null, remote: false }),
      0,
    ],
    ['a forge moves its own refs', told('release', 'gh release create v1', 'v1'), aMove(), 1],
    [
      'a forge moves nothing here',
      told('release', 'gh release create v1', 'v1'),
      aMove({ remote: false }),
      0,
    ],
    ['a package is no ref', told('publish', 'npm publish', 'main'), aMove(), 0],
  ])('%s', (_what, claim, moved, fit) => {
    expect(fitOf(claim, moved)).toBe(fit);
  });
});

describe('what the gate passed on', () => {
  const passed = (after: string): Claim => ({
    ...told('push', 'main'),
    gate: true,
    move: { ref: 'refs/heads/main', after },
  });

  it('fits the one move that it was', () => {
    expect(fitOf(passed(COMMIT), aMove())).toBe(3);
    expect(fitOf(passed(COMMIT), aMove({ remote: false }))).toBe(0);
    expect(fitOf(passed(COMMIT), aMove({ ref: 'refs/heads/dev' }))).toBe(0);
  });

  it('says by zeroes that a ref went away', () => {
    expect(fitOf(passed('0'.repeat(40)), aMove({ after: null }))).toBe(3);
    expect(fitOf(passed('0'.repeat(40)), aMove())).toBe(0);
  });

  it('fits nothing where it named no ref, whatever its words say', () => {
    expect(fitOf({ ...told('push', 'git push origin main'), gate: true }, aMove())).toBe(0);
  });
});
