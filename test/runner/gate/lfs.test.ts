import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import { judgePointers, readNewPointers } from '../../../runner/gate/lfs.ts';
import { limitPolicy } from '../../../runner/gate/policy.ts';
import { Quarantine } from '../../../runner/gate/quarantine.ts';
import { decidePush } from '../../../runner/gate/receive.ts';
import { aDirectory, aRepository, commit, gitIn, ownCheckout } from '../guard/repositories.ts';

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
  const push = (after: string, before = ZERO, name = 'work') =>
    decidePush([{ ref: `refs/heads/${name}`, before, after }], quarantine, policy);
  const tip = (name: string) =>
    gitIn(remote, 'for-each-ref', '--format=%(objectname)', `refs/heads/${name}`);
  return { source, quarantine, push, tip };
}

describe('a push with files of Git LFS', () => {
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
    expect(outcome?.reason).toContain('ask a person to push it with git-lfs');
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

  it('is read from the commit alone, and a deletion brings none', async () => {
    const options = { directory: gate.source };
    const after = from(() => commit(gate.source, 'n.bin', pointer('f')));
    expect(await readNewPointers(after, options)).toEqual(['n.bin']);
    expect(await readNewPointers(base, options)).toEqual([]);
    expect(await readNewPointers(ZERO, options)).toEqual([]);
  });
});

it('judges by the pointers alone, and names the first of many', () => {
  expect(judgePointers([])).toEqual({ kind: 'allow' });
  expect(judgePointers(['a', 'b', 'c'])).toMatchObject({
    kind: 'refuse',
    reason: expect.stringContaining('(a and 2 more)'),
  });
});
