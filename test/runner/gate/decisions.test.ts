import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FLUSH, packetOf, PacketReader } from '../../../runner/gate/pkt-line.ts';
import { judgePush } from '../../../runner/gate/policy.ts';
import { parsePushOutput } from '../../../runner/gate/push-output.ts';
import { parseRequest } from '../../../runner/gate/server.ts';

const ZERO = '0'.repeat(40);
const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const POLICY = { defaultBranch: 'main', protectedBranches: ['release/*'], tags: false };
const THEIRS = { own: false, forward: false };
const judge = (
  ref: string,
  before: string,
  after: string,
  facts = THEIRS,
  policy: Parameters<typeof judgePush>[2] = POLICY,
) => judgePush({ ref, before, after }, facts, policy).allowed;

describe('a push', () => {
  it.each([
    ['a new branch', 'refs/heads/x', ZERO, A, THEIRS, true],
    ['somebody’s branch forwards', 'refs/heads/x', A, B, { own: false, forward: true }, true],
    ['somebody’s branch by force', 'refs/heads/x', A, B, THEIRS, false],
    ['somebody’s branch away', 'refs/heads/x', A, ZERO, THEIRS, false],
    ['its own branch by force', 'refs/heads/x', A, B, { own: true, forward: false }, true],
    ['its own branch away', 'refs/heads/x', A, ZERO, { own: true, forward: false }, true],
    ['the default branch', 'refs/heads/main', A, B, { own: true, forward: true }, false],
    ['a branch that is protected here', 'refs/heads/release/1', ZERO, A, THEIRS, false],
    ['a tag', 'refs/tags/v1', ZERO, A, THEIRS, false],
    ['any other ref', 'refs/for/main', ZERO, A, THEIRS, false],
  ] as const)('of %s', (_name, ref, before, after, facts, allowed) => {
    expect(judge(ref, before, after, facts)).toBe(allowed);
  });

  it('of a new tag is allowed where the machine allows it, and of a moved one never', () => {
    expect(judge('refs/tags/v1', ZERO, A, THEIRS, { ...POLICY, tags: true })).toBe(true);
    expect(judge('refs/tags/v1', A, B, THEIRS, { ...POLICY, tags: true })).toBe(false);
  });

  it('is refused whole where the default branch is not known', () => {
    expect(judge('refs/heads/x', ZERO, A, THEIRS, { ...POLICY, defaultBranch: null })).toBe(false);
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
