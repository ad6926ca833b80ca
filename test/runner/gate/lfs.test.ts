import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import { judgeObjects, LFS_MAX_BYTES } from '../../../runner/gate/lfs.ts';
import { limitPolicy, type PushCommand } from '../../../runner/gate/policy.ts';
import { Quarantine } from '../../../runner/gate/quarantine.ts';
import { decidePush } from '../../../runner/gate/receive.ts';
import { readNewPointers } from '../../../runner/lfs/pointers.ts';
import { aDirectory, aRepository, commit, gitIn, ownCheckout } from '../guard/repositories.ts';
import { textOf } from '../lfs/pointer-text.ts';

const ZERO = '0'.repeat(40);
const pointer = (letter: string, version = 'https://git-lfs.github.com/spec/v1'): string =>
  `version ${version}\noid sha256:${letter.repeat(64)}\nsize 12345\n`;

/** A remote that has one pointer, and the runner's own repository before it; git-lfs is not needed. */
async function aGate() {
  const remote = join(aDirectory(), 'remote.git');
  const source = aRepository();
  commit(source, 'known.bin', pointer('a'));
  gitIn(source, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  gitIn(source, 'remote', 'add', 'origin', remote);
  gitIn(source, 'push', '--quiet', 'origin', 'main');
  const checkout = { ...(await ownCheckout(source)), gate: { remote: 'origin' } };
  const quarantine = new Quarantine(join(aDirectory(), 'gate.git'), checkout, process.env);
  await quarantine.refresh();
  const policy = limitPolicy(DEFAULT_POLICY, null);
  const pushAll = (commands: readonly PushCommand[]) => decidePush(commands, quarantine, policy);
  const push = (after: string, before = ZERO, name = 'work') =>
    pushAll([{ ref: `refs/heads/${name}`, before, after }]);
  const tip = (name: string) =>
    gitIn(remote, 'for-each-ref', '--format=%(objectname)', `refs/heads/${name}`);
  return { source, quarantine, push, pushAll, tip };
}

describe('a push with pointers of Git LFS, whose contents are nowhere', () => {
  let gate: Awaited<ReturnType<typeof aGate>>;
  let base: string;
  beforeAll(async () => {
    gate = await aGate();
    base = gitIn(gate.source, 'rev-parse', 'main');
  });
  const from = (work: () => string): string => {
    gitIn(gate.source, 'checkout', '--quiet', '--detach', base);
    return work();
  };

  it('that are new is refused, with the file and what to do, and reaches no remote', async () => {
    const after = from(() => commit(gate.source, 'art/big.bin', pointer('b')));
    const [outcome] = await gate.push(after);
    expect(outcome).toMatchObject({ outcome: 'not_done', by: 'policy' });
    expect(outcome?.reason).toContain('art/big.bin');
    expect(outcome?.reason).toMatch(/add the files themselves with git-lfs|install git-lfs/);
    expect(gate.tip('work')).toBe('');
  });

  it('that came and went in between is refused: the history would name them', async () => {
    const after = from(() => {
      commit(gate.source, 'big.bin', pointer('c'));
      return commit(gate.source, 'big.bin', 'small again\n');
    });
    expect(await gate.push(after)).toMatchObject([{ outcome: 'not_done' }]);
  });

  it('that the remote has goes through, moved or copied', async () => {
    const after = from(() => {
      gitIn(gate.source, 'mv', 'known.bin', 'moved.bin');
      return commit(gate.source, 'copy.bin', pointer('a'));
    });
    expect(await gate.push(after, ZERO, 'moved')).toMatchObject([{ outcome: 'done' }]);
    expect(gate.tip('moved')).toBe(after);
  });

  it('is not confused by what only looks like one, or by contents with zero bytes', async () => {
    const after = from(() => {
      commit(gate.source, 'doc.md', `Pointers look so:\n\n${pointer('d')}`);
      commit(gate.source, 'bytes', `${'f'.repeat(40)} blob\n${pointer('d')}\0`);
      return commit(gate.source, 'large.txt', `${pointer('d')}${'x'.repeat(2_000)}`);
    });
    expect(await gate.push(after, ZERO, 'docs')).toMatchObject([{ outcome: 'done' }]);
  });

  it('of the older form, in any spelling of a path, is refused too', async () => {
    const old = pointer('e', 'https://hawser.github.com/spec/v1');
    const after = from(() => commit(gate.source, 'with space/ä "q".bin', old));
    const [outcome] = await gate.push(after, ZERO, 'old');
    expect(outcome).toMatchObject({ outcome: 'not_done' });
    expect(outcome?.reason).toContain('Git LFS pointers');
  });

  it('is bounded by what its refs bring between them, each content once', async () => {
    const three = (letter: string) => textOf({ oid: letter.repeat(64), size: 3 * 1024 ** 3 });
    const refs = ['1', '2'].map((letter) => ({
      ref: `refs/heads/large-${letter}`,
      before: ZERO,
      after: from(() => commit(gate.source, `${letter}.bin`, three(letter))),
    }));
    const reasons = async (...names: string[]) => {
      const own = refs.filter(({ ref }) => names.some((name) => ref.endsWith(name)));
      return (await gate.pushAll(own)).map(({ reason }) => reason);
    };
    expect(await reasons('1', '2')).toEqual(Array(2).fill(expect.stringContaining('6.0 GB')));
    expect(await reasons('1')).toEqual([expect.stringContaining('(1.bin)')]);
    const again = from(() => commit(gate.source, 'copy.bin', `${three('1')}\n`));
    const copy = { ref: 'refs/heads/copy', before: ZERO, after: again };
    const both = await gate.pushAll([...refs.slice(0, 1), copy]);
    expect(both.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('(1.bin)'),
      expect.stringContaining('(copy.bin)'),
    ]);
  });

  it('is read from the commit alone, and a deletion brings none', async () => {
    const options = { directory: gate.source };
    const after = from(() => commit(gate.source, 'n.bin', pointer('f')));
    expect(await readNewPointers([after], options, ['--not', base])).toEqual([
      { path: 'n.bin', oid: 'f'.repeat(64), size: 12345 },
    ]);
    expect(await readNewPointers([ZERO], options)).toEqual([]);
  });
});

it('judges by what is missing alone, names the first of many, and bounds what is there', () => {
  const missing = ['a', 'b', 'c'].map((path) => ({ path, oid: 'f'.repeat(64), size: 1 }));
  const judge = (over: object) => judgeObjects({ bytes: 3, missing: [], program: true, ...over });
  expect(judge({})).toEqual({ kind: 'allow' });
  expect(judge({ missing })).toMatchObject({
    kind: 'refuse',
    reason: expect.stringMatching(/\(a and 2 more\).*add the files themselves/),
  });
  expect(judge({ missing, program: false })).toMatchObject({
    reason: expect.stringContaining('ask a person to install git-lfs'),
  });
  expect(judge({ bytes: LFS_MAX_BYTES + 1 })).toMatchObject({
    kind: 'refuse',
    reason: expect.stringMatching(/4\.0 GB at once; push it in parts/),
  });
});
