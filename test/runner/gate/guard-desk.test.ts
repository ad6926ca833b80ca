import { describe, expect, it } from 'vitest';
import { actId } from '../../../protocol/ids.ts';
import type { ActOutcome } from '../../../protocol/act.ts';
import type { MergePolicy } from '../../../protocol/merge-policy.ts';
import { classifyCommand } from '../../../runner/acts/classify.ts';
import { answerGuard, decideGuard } from '../../../runner/gate/guard-desk.ts';
import type { Claim } from '../../../runner/witness/claims.ts';
import { packetOf } from '../../../runner/gate/pkt-line.ts';
import { actRulesOf } from '../../support/policy-rules.ts';

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)];
const NOTHING = '0'.repeat(40);
const ASKING: Partial<MergePolicy> = {
  mode: 'ask',
  tags: 'ask',
  protectedBranches: ['release/*'],
};

/** What the stream claims of a command line that a person allowed. */
const claimsOf = (line: string, outcome: ActOutcome | null): Claim[] =>
  classifyCommand(line).map(({ kind, command, target, uncertain }, index) => ({
    actId: actId.parse(`act_${index}`),
    kind,
    toolId: 'tool',
    uncertain,
    command,
    target,
    gate: false,
    claimId: null,
    move: null,
    outcome,
  }));

const roomOf = (allowed: string, outcome: ActOutcome | null = null) => ({
  rules: actRulesOf(ASKING, { branch: 'main' }),
  protectedAmong: () => [],
  watched: { since: null, claims: claimsOf(allowed, outcome), allowed: ['tool'] },
});
type Room = ReturnType<typeof roomOf>;

const forge = (line: string, room: Room): boolean =>
  decideGuard({ do: 'forge', argv: line.split(' ') }, room).refused.length === 0;

const push = (ref: string, room: Room, remote: string | null = 'origin'): boolean => {
  const before = ref.startsWith('refs/tags/') ? NOTHING : A;
  const refs = [{ ref, before, after: B, forward: true, paths: [] }];
  return decideGuard({ do: 'push', remote, refs }, room).refused.length === 0;
};

describe('a call that a person allowed lets the guard pass', () => {
  const MERGE = 'gh pr merge 5 --squash';

  it('the same ask of a forge, and no other', () => {
    const room = roomOf(`cd web && ${MERGE}`);
    expect(forge(MERGE, room)).toBe(true);
    expect(forge('gh pr merge 6 --squash', room)).toBe(false);
    expect(forge('gh pr merge 5 --squash --admin', room)).toBe(false);
    expect(forge('gh -R a/b pr merge 5 --squash', room)).toBe(false);
  });

  it('no push, where a forge was asked', () => {
    expect(push('refs/heads/main', roomOf(MERGE))).toBe(false);
    expect(push('refs/heads/main', roomOf('gh api -X PUT repos/a/b/pulls/main/merge'))).toBe(false);
  });

  it.each(['done', 'not_done', 'unknown'] as const)('nothing once it is over as %s', (outcome) => {
    expect(forge(MERGE, roomOf(MERGE, outcome))).toBe(false);
    expect(push('refs/heads/main', roomOf('git push origin main', outcome))).toBe(false);
  });

  it.each([
    ['git push origin HEAD:main', ['refs/heads/main']],
    ['git push --force-with-lease origin main', ['refs/heads/main']],
    ['git push origin main:release/2', ['refs/heads/release/2']],
    ['git push origin main release/1', ['refs/heads/main', 'refs/heads/release/1']],
    ['git push', ['refs/heads/main']],
    ['git push origin HEAD', ['refs/heads/main']],
    ['git push --all origin', ['refs/heads/main']],
    ['git push origin "$BRANCH"', []],
    ['git push origin v1', ['refs/tags/v1']],
    ['git push --tags', ['refs/tags/v1', 'refs/tags/v2']],
    ['git push origin --tags', ['refs/tags/v1', 'refs/tags/v2']],
    ['git push upstream main', []],
    ['git merge push main', []],
  ])('by %s the refs that they were shown: %j', (line, refs) => {
    const all = ['main', 'release/1', 'release/2'].map((name) => `refs/heads/${name}`);
    const tags = ['refs/tags/v1', 'refs/tags/v2'];
    const room = roomOf(line);
    expect([...all, ...tags].filter((ref) => push(ref, room))).toEqual(refs);
  });

  it('to an address, where an address was named', () => {
    const address = 'git push https://example.com/a.git HEAD:main';
    expect(push('refs/heads/main', roomOf(address), null)).toBe(true);
    expect(push('refs/heads/main', roomOf('git push origin HEAD:main'), null)).toBe(false);
  });
});

describe('a push of many refs that is refused', () => {
  const refused = (count: number, name: string) =>
    decideGuard(
      {
        do: 'push',
        remote: 'origin',
        refs: Array.from({ length: count }, (_, index) => ({
          ref: `refs/tags/${name}${index}`,
          before: NOTHING,
          after: B,
          forward: false,
          paths: null,
        })),
      },
      { rules: actRulesOf({ tags: 'never' }), protectedAmong: () => [], watched: undefined },
    );

  it('is told by the first, and by how many they are', () => {
    const seen = refused(700, 'v');
    expect(seen).toMatchObject({ passed: [], more: 650 });
    expect(seen.refused).toHaveLength(50);
    expect(refused(50, 'v').more).toBeUndefined();
    const { allow, say } = answerGuard(seen);
    expect(allow).toBe(false);
    expect(say.match(/origin v\d+: /g)).toHaveLength(20);
    expect(say).toMatch(/\. 680 more are refused too\.$/);
    expect(answerGuard(refused(20, 'v')).say).not.toContain('more are refused');
  });

  it('is said in one line of git’s protocol, whatever the refs are named', () => {
    const said = answerGuard(refused(30, '\u0001'.repeat(4_000)));
    expect(packetOf(JSON.stringify(said))).toMatch(/^[0-9a-f]{4}\{/);
  });
});
