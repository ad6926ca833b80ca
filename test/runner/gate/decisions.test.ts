import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FLUSH, packetOf, PacketReader } from '../../../runner/gate/pkt-line.ts';
import {
  DEFAULT_POLICY,
  type MergePolicy,
  POLICY_MODES,
  TAG_RULES,
} from '../../../protocol/merge-policy.ts';
import {
  judgePush,
  kindOfPush,
  limitPolicy,
  type PushPolicy,
  type RefFacts,
} from '../../../runner/gate/policy.ts';
import type { Changes } from '../../../runner/gate/protected-paths.ts';
import { parsePushOutput } from '../../../runner/gate/push-output.ts';
import { parseRequest } from '../../../runner/gate/server.ts';

const ZERO = '0'.repeat(40);
const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const POLICY: PushPolicy = {
  ...limitPolicy(DEFAULT_POLICY, null),
  protectedBranches: ['release/*'],
  defaultBranch: 'main',
};
const NO_CHANGES: Changes = { known: true, paths: [] };
const THEIRS = { own: false, forward: false, changes: NO_CHANGES };
const FORWARD = { ...THEIRS, forward: true };
const OWN = { ...THEIRS, own: true };
const judge = (
  ref: string,
  before: string,
  after: string,
  facts: RefFacts = THEIRS,
  over: Partial<PushPolicy> = {},
) => judgePush({ ref, before, after }, facts, { ...POLICY, ...over });

describe('a push', () => {
  it.each([
    ['a new branch', 'refs/heads/x', ZERO, A, THEIRS, 'allow'],
    ['somebody’s branch forwards', 'refs/heads/x', A, B, FORWARD, 'allow'],
    ['somebody’s branch by force', 'refs/heads/x', A, B, THEIRS, 'refuse'],
    ['somebody’s branch away', 'refs/heads/x', A, ZERO, THEIRS, 'refuse'],
    ['its own branch by force', 'refs/heads/x', A, B, OWN, 'allow'],
    ['its own branch away', 'refs/heads/x', A, ZERO, OWN, 'allow'],
    ['the default branch', 'refs/heads/main', A, B, { ...FORWARD, own: true }, 'refuse'],
    ['the default branch in other letters', 'refs/heads/MAIN', ZERO, A, THEIRS, 'refuse'],
    ['a branch that is protected', 'refs/heads/release/1', ZERO, A, THEIRS, 'refuse'],
    ['a tag', 'refs/tags/v1', ZERO, A, THEIRS, 'refuse'],
    ['any other ref', 'refs/for/main', ZERO, A, THEIRS, 'refuse'],
  ] as const)('of %s', (_name, ref, before, after, facts, kind) => {
    expect(judge(ref, before, after, facts).kind).toBe(kind);
  });

  it.each(POLICY_MODES)('to a protected branch is judged by the mode %s', (mode) => {
    const kind = { none: 'refuse', pr: 'refuse', ask: 'ask', merge: 'allow' }[mode];
    expect(judge('refs/heads/main', A, B, FORWARD, { mode }).kind).toBe(kind);
    expect(judge('refs/heads/release/1', ZERO, A, THEIRS, { mode }).kind).toBe(kind);
    const workflow = {
      ...THEIRS,
      changes: { known: true as const, paths: ['.github/workflows/x'] },
    };
    expect(judge('refs/heads/x', ZERO, A, workflow, { mode }).kind).toBe(kind);
  });

  it.each(POLICY_MODES)('never rewrites or deletes a protected branch, in mode %s', (mode) => {
    for (const after of [B, ZERO])
      expect(judge('refs/heads/main', A, after, OWN, { mode }).kind).toBe('refuse');
  });

  it('never moves a branch that the machine’s own limits name', () => {
    const over = { mode: 'merge' as const, fixedBranches: ['prod'] };
    const verdict = judge('refs/heads/prod', A, B, FORWARD, over);
    expect(verdict).toMatchObject({
      kind: 'refuse',
      reason: expect.stringContaining('limits.toml'),
    });
  });

  it('of a new tag goes by the rule of tags, and of a moved or deleted one never', () => {
    const tag = (before: string, after: string, tags: PushPolicy['tags']) =>
      judge('refs/tags/v1', before, after, THEIRS, { tags }).kind;
    expect(TAG_RULES.map((tags) => tag(ZERO, A, tags))).toEqual(['refuse', 'ask', 'allow']);
    expect(tag(A, B, 'new')).toBe('refuse');
    expect(tag(A, ZERO, 'new')).toBe('refuse');
  });

  it('rewrites nothing where the policy lets nobody', () => {
    expect(judge('refs/heads/x', A, B, OWN, { force: 'never' }).kind).toBe('refuse');
    expect(judge('refs/heads/x', A, ZERO, OWN, { force: 'never' }).kind).toBe('refuse');
    expect(judge('refs/heads/x', A, B, FORWARD, { force: 'never' }).kind).toBe('allow');
  });

  it('is refused where the default branch is not known, or what it changes', () => {
    expect(judge('refs/heads/x', ZERO, A, THEIRS, { defaultBranch: null }).kind).toBe('refuse');
    const changes = { known: false as const };
    expect(judge('refs/heads/x', ZERO, A, { ...THEIRS, changes }).kind).toBe('refuse');
  });

  it('is an act of the kind that it is', () => {
    const kind = (ref: string, before: string, after: string, facts: RefFacts) =>
      kindOfPush({ ref, before, after }, facts);
    expect(kind('refs/heads/x', ZERO, A, THEIRS)).toBe('push');
    expect(kind('refs/heads/x', A, B, FORWARD)).toBe('push');
    expect(kind('refs/heads/x', A, B, OWN)).toBe('force_push');
    expect(kind('refs/heads/x', A, ZERO, OWN)).toBe('delete');
    expect(kind('refs/tags/v', ZERO, A, THEIRS)).toBe('tag');
  });
});

describe('the machine’s own limits', () => {
  it('hold a policy down, and never let it go further', () => {
    const open: MergePolicy = { ...DEFAULT_POLICY, mode: 'merge', tags: 'new' };
    const limits = { protectedBranches: ['prod'], pushTags: false, mergeAtMost: 'pr' as const };
    expect(limitPolicy(open, limits)).toMatchObject({
      mode: 'pr',
      tags: 'never',
      fixedBranches: ['prod'],
    });
    const strict: MergePolicy = { ...DEFAULT_POLICY, mode: 'none' };
    const wide = { protectedBranches: [], pushTags: true, mergeAtMost: 'merge' as const };
    expect(limitPolicy(strict, wide)).toMatchObject({ mode: 'none', tags: 'never' });
  });

  it('let no session merge unasked where they say nothing', () => {
    expect(limitPolicy({ ...DEFAULT_POLICY, mode: 'merge' }, null).mode).toBe('ask');
  });
});

describe('what git push says of each ref', () => {
  it('is read with the remote’s own reason', () => {
    const output = `To /r.git\n*\t${A}:refs/heads/x\t[new branch]\n!\t${A}:refs/heads/y\t[remote rejected] (pre-receive hook declined)\n-\t:refs/heads/z\t[deleted]\nDone\n`;
    expect([...parsePushOutput(output)]).toEqual([
      ['refs/heads/x', { kind: 'done' }],
      ['refs/heads/y', { kind: 'refused', reason: 'pre-receive hook declined' }],
      ['refs/heads/z', { kind: 'done' }],
    ]);
  });
});

describe('lines of git’s protocol', () => {
  it('are read as they were written, however they arrive, and leave the rest', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 })),
        fc.integer({ min: 1, max: 9 }),
        async (lines, size) => {
          const stream = new PassThrough();
          const bytes = Buffer.from(`${lines.map(packetOf).join('')}${FLUSH}rest`);
          for (let at = 0; at < bytes.length; at += size)
            setImmediate(() => stream.write(bytes.subarray(at, at + size)));
          setImmediate(() => stream.end());
          const packets = new PacketReader(stream);
          expect(await packets.readList()).toEqual(lines);
          packets.release();
          let rest = '';
          for await (const chunk of stream) rest += String(chunk);
          expect(rest).toBe('rest');
        },
      ),
      { numRuns: 30 },
    );
  });

  it.each(['00', '0010git', 'zzzzgit', '0001', 'ffffgit'])(
    'that are none end the reading: %s',
    async (text) => {
      const stream = new PassThrough();
      stream.end(text);
      await expect(new PacketReader(stream).read()).rejects.toThrow(/./);
    },
  );

  it('ask for a service of a session', () => {
    expect(parseRequest('git-upload-pack /ses_a1/0f\0host=x\0')).toEqual({
      service: 'upload-pack',
      sessionId: 'ses_a1',
      token: '0f',
    });
    for (const line of ['git-upload-archive /ses_a/0f\0', 'git-upload-pack /../ses_a/0f\0', ''])
      expect(() => parseRequest(line)).toThrow('not a request');
  });
});
