import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { deflateSync } from 'node:zlib';
import { turnId } from '../../../protocol/ids.ts';
import type { OwnCheckout } from '../../../runner/guard/checkout.ts';
import { keepCheckpoint } from '../../../runner/guard/checkpoints.ts';
import { bringBack } from '../../../runner/guard/bring-back.ts';
import {
  bringForkFiles,
  findCheckout,
  findForkFiles,
  readForked,
} from '../../../runner/guard/fork-files.ts';
import { prepareCheckout } from '../../../runner/guard/prepare.ts';
import {
  aRepository,
  commit,
  commitInCheckout,
  gitIn,
  OTHER_SESSION,
  ownCheckout,
  requestFor,
  write,
} from './repositories.ts';

const [FIRST, SECOND] = ['trn_first', 'trn_second'].map((id) => turnId.parse(id)) as [
  ReturnType<typeof turnId.parse>,
  ReturnType<typeof turnId.parse>,
];
const at = (id: typeof FIRST, number: number, filesNow = false) =>
  ({ turnId: id, number, nextTurnId: null, filesNow }) as const;
const keep = (id: typeof FIRST) => keepCheckpoint(checkout, { kind: 'turn', at: 1, turnId: id });

let source: string;
let checkout: OwnCheckout;
beforeEach(async () => {
  source = aRepository();
  commit(source, 'kept.ts', 'one\n');
  checkout = await ownCheckout(source);
});

/** The checkout of another session, forked from this one. */
const fork = async (point: ReturnType<typeof at>, directory = source) => {
  const files = () => bringForkFiles(checkout, point);
  const request = { ...requestFor(directory), sessionId: OTHER_SESSION };
  return (await prepareCheckout({ ...request, fork: { from: checkout, files } })) as OwnCheckout;
};
const read = (forked: OwnCheckout, name: string) => readFileSync(join(forked.top, name), 'utf8');

describe('the files of a fork', () => {
  test('are as they were after a turn, with its commits and with what was in none', async () => {
    const head = commitInCheckout(checkout, 'committed.ts', 'a\n');
    write(checkout.top, 'loose.ts', 'first\n');
    await bringBack(checkout, FIRST);
    await keep(FIRST);
    write(checkout.top, 'loose.ts', 'second\n');
    write(checkout.top, 'kept.ts', 'changed\n');
    await keep(SECOND);
    const forked = await fork(at(FIRST, 1));
    expect(gitIn(forked.top, 'rev-parse', 'HEAD')).toBe(head);
    expect(read(forked, 'loose.ts')).toBe('first\n');
    expect(gitIn(forked.top, 'status', '--porcelain')).toBe('?? loose.ts');
    expect(forked.branch).not.toBe(checkout.branch);
    // The session that was forked is as it was.
    expect(read(checkout, 'loose.ts')).toBe('second\n');
    expect(gitIn(source, 'status', '--porcelain')).toBe('');
  });

  test('are as they are now where that is asked for, and right after the turn where not', async () => {
    write(checkout.top, 'loose.ts', 'turn\n');
    const turn = await keep(FIRST);
    write(checkout.top, 'loose.ts', 'by hand\n');
    const now = await keep(FIRST);
    expect(findForkFiles([now, turn], at(FIRST, 1))).toEqual(turn);
    expect(read(await fork(at(FIRST, 1, true)), 'loose.ts')).toBe('by hand\n');
  });

  test('are brought for two forks of one turn at once, neither in the other’s way', async () => {
    write(checkout.top, 'loose.ts', 'turn\n');
    await keep(FIRST);
    const both = await Promise.all([1, 2, 3].map(() => bringForkFiles(checkout, at(FIRST, 1))));
    for (const { uncommitted } of both)
      expect(gitIn(source, 'show', `${uncommitted}:loose.ts`)).toBe('turn');
  });

  test('keep what could not be brought back, in no commit', async () => {
    commitInCheckout(checkout, 'committed.ts', 'a\n');
    await keep(FIRST);
    const forked = await fork(at(FIRST, 1));
    expect(gitIn(forked.top, 'rev-parse', 'HEAD')).toBe(checkout.baseCommit);
    expect(gitIn(forked.top, 'status', '--porcelain')).toBe('?? committed.ts');
  });

  test('are refused where none are kept, and in another repository', async () => {
    await expect(fork(at(FIRST, 1))).rejects.toMatchObject({ code: 'fork_unavailable' });
    await keep(FIRST);
    const other = aRepository();
    commit(other, 'x.ts', 'x\n');
    await expect(fork(at(FIRST, 1), other)).rejects.toMatchObject({ code: 'fork_unavailable' });
  });

  test('bring nothing into the repository under a name that is not its content’s', async () => {
    write(checkout.top, 'loose.ts', 'honest\n');
    await keep(FIRST);
    // The session writes an object of its own in the place of the one that its file has.
    const id = gitIn(checkout.top, 'hash-object', 'loose.ts');
    const store = join(checkout.view, 'checkpoints', 'objects', id.slice(0, 2));
    const [name = ''] = readdirSync(store).filter((each) => id.endsWith(each));
    chmodSync(join(store, name), 0o600);
    writeFileSync(join(store, name), deflateSync('blob 7\0forged\n'));
    await expect(fork(at(FIRST, 1))).rejects.toMatchObject({ code: 'workspace_refused' });
    expect(() => gitIn(source, 'cat-file', '-e', id)).toThrow();
  });

  test('are of a checkout that is there, which is said where it is gone', async () => {
    const root = dirname(checkout.top);
    expect(await readForked(root, checkout.sessionId)).toEqual(checkout);
    expect(await findCheckout(root, OTHER_SESSION)).toBeNull();
    await expect(readForked(root, OTHER_SESSION)).rejects.toMatchObject({
      code: 'fork_unavailable',
    });
  });
});
