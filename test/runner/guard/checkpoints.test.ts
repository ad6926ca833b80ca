import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkpointList, CHECKPOINTS_MAX } from '../../../protocol/checkpoints.ts';
import type { OwnCheckout } from '../../../runner/guard/checkout.ts';
import {
  keepCheckpoint,
  listCheckpoints,
  listDiffering,
  listIgnored,
  writePatch,
} from '../../../runner/guard/checkpoints.ts';
import { TURN } from '../../support/protocol-builders.ts';
import { countForTree, recordTree } from '../../../runner/guard/record-tree.ts';
import { releaseCheckout } from '../../../runner/guard/release.ts';
import {
  aRepository,
  commit,
  commitInCheckout,
  gitIn,
  ownCheckout,
  write,
} from './repositories.ts';

let checkout: OwnCheckout;
beforeEach(async () => {
  const source = aRepository();
  commit(source, 'kept.ts', 'one\n');
  checkout = await ownCheckout(source);
});

const START = { kind: 'start', at: 1, turnId: null } as const;
const afterTurn = (at: number) => ({ kind: 'turn', at, turnId: TURN }) as const;

describe('checkpoints of a checkout', () => {
  test('are none before the first, and then each as the files were, newest first', async () => {
    expect(await listCheckpoints(checkout)).toEqual([]);
    const start = await keepCheckpoint(checkout, START);
    expect(start.tree).toBe(gitIn(checkout.top, 'rev-parse', 'HEAD^{tree}'));
    write(checkout.top, 'in no commit.ts', 'x\n');
    const second = await keepCheckpoint(checkout, afterTurn(2));
    commitInCheckout(checkout, 'committed.ts', 'y\n');
    const third = await keepCheckpoint(checkout, afterTurn(3));
    const items = await listCheckpoints(checkout);
    expect(items).toEqual([third, second, start]);
    expect(checkpointList.parse({ items })).toEqual({ items });
    expect(new Set(items.map(({ tree }) => tree)).size).toBe(3);
    expect(await listDiffering(checkout, third.tree)).toEqual([]);
    expect(await listDiffering(checkout, start.tree)).toEqual(['committed.ts', 'in no commit.ts']);
  });

  test('leave the session’s own index, objects and refs as they are', async () => {
    write(checkout.top, 'new.ts', 'x\n');
    const state = () => [
      readFileSync(join(checkout.top, '.git/index'), 'hex'),
      gitIn(checkout.top, 'count-objects', '-v'),
      gitIn(checkout.top, 'for-each-ref'),
      gitIn(checkout.top, 'status', '--porcelain'),
    ];
    const before = state();
    await keepCheckpoint(checkout, START);
    expect(state()).toEqual(before);
  });

  test('hold nothing that git ignores', async () => {
    write(checkout.top, '.gitignore', 'build/\n');
    const before = await keepCheckpoint(checkout, START);
    write(checkout.top, 'build/out.js', 'x\n');
    expect((await keepCheckpoint(checkout, afterTurn(2))).tree).toBe(before.tree);
  });

  test('lead from one to another as a patch of any bytes, which counts its files', async () => {
    const start = await keepCheckpoint(checkout, START);
    const latin = Buffer.from([0x67, 0x72, 0xfc, 0xdf, 0x65, 0x0a]);
    writeFileSync(join(checkout.top, 'latin.txt'), latin);
    writeFileSync(join(checkout.top, 'pixels.bin'), Buffer.from([0, 1, 2, 255, 0]));
    rmSync(join(checkout.top, 'kept.ts'));
    const changed = await keepCheckpoint(checkout, afterTurn(2));
    const { path, names, removed } = await writePatch(checkout, {
      from: changed.tree,
      to: start.tree,
    });
    expect(names).toEqual(['kept.ts', 'latin.txt', 'pixels.bin']);
    expect(removed).toEqual(['latin.txt', 'pixels.bin']);
    gitIn(checkout.top, 'apply', '--binary', path);
    expect(existsSync(join(checkout.top, 'latin.txt'))).toBe(false);
    expect(await listDiffering(checkout, start.tree)).toEqual([]);
    const back = await writePatch(checkout, { from: start.tree, to: changed.tree });
    gitIn(checkout.top, 'apply', '--binary', back.path);
    expect(readFileSync(join(checkout.top, 'latin.txt'))).toEqual(latin);
    expect(await listDiffering(checkout, changed.tree)).toEqual([]);
  });

  test(`are ${CHECKPOINTS_MAX} at most, of which the oldest goes`, async () => {
    const start = await keepCheckpoint(checkout, START);
    const list = join(checkout.view, 'checkpoints/list.json');
    const many = Array.from({ length: CHECKPOINTS_MAX }, (_, at) => ({ ...start, at }));
    writeFileSync(list, JSON.stringify({ items: many }));
    const newest = await keepCheckpoint(checkout, afterTurn(500));
    const items = await listCheckpoints(checkout);
    expect(items).toHaveLength(CHECKPOINTS_MAX);
    expect(items[0]).toEqual(newest);
    expect(items.at(-1)?.at).toBe(CHECKPOINTS_MAX - 2);
  });

  test('tell which paths git ignores now, whatever they are called', async () => {
    write(checkout.top, '.gitignore', '*.log\n');
    const names = ['a.log', ':(top)b.log', '*.ts', 'ü\n.log', 'kept.ts'];
    expect(await listIgnored(checkout, names)).toEqual(['a.log', ':(top)b.log', 'ü\n.log']);
    expect(await listIgnored(checkout, ['kept.ts'])).toEqual([]);
    expect(await listIgnored(checkout, [])).toEqual([]);
  });

  test('make room for newer ones beyond their size, never while one is gone back to', async () => {
    write(checkout.top, 'large.txt', 'x'.repeat(100_000));
    const start = await keepCheckpoint(checkout, START);
    const rewind = await keepCheckpoint(checkout, { ...START, kind: 'rewind' }, 1);
    expect(await listCheckpoints(checkout)).toEqual([rewind, start]);
    const newest = await keepCheckpoint(checkout, afterTurn(9), 1);
    expect(await listCheckpoints(checkout)).toEqual([newest]);
    expect(newest.tree).toBe(start.tree);
  });

  test('are not kept of data that takes too long to read, and leave nothing of it behind', async () => {
    const objects = join(checkout.view, 'checkpoints/objects');
    writeFileSync(join(checkout.top, 'data.bin'), Buffer.alloc(64 * 1024 ** 2, 7));
    await countForTree(checkout);
    await expect(recordTree(checkout, objects, 1)).rejects.toMatchObject({
      code: 'workspace_refused',
    });
    const left = readdirSync(objects, { recursive: true, encoding: 'utf8' });
    expect(left.filter((name) => name.includes('tmp_'))).toEqual([]);
    expect(existsSync(join(checkout.view, 'recorded.index.lock'))).toBe(false);
  });

  test('go with their checkout', async () => {
    await keepCheckpoint(checkout, START);
    expect(await releaseCheckout(checkout, true)).toMatchObject({ removed: true });
    expect(existsSync(checkout.view)).toBe(false);
  });

  test('are not kept of a checkout that was tampered with', async () => {
    rmSync(join(checkout.top, '.git/objects/info/alternates'));
    await expect(keepCheckpoint(checkout, START)).rejects.toMatchObject({
      code: 'workspace_refused',
    });
    expect(await listCheckpoints(checkout)).toEqual([]);
  });
});
