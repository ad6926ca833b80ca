import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { engineEvent } from '../../../protocol/engine-event.ts';
import { bringBack } from '../../../runner/guard/bring-back.ts';
import { broughtRef } from '../../../runner/guard/checkout.ts';
import { prepareCheckout } from '../../../runner/guard/prepare.ts';
import { TURN } from '../../support/protocol-builders.ts';
import {
  SESSION,
  aDirectory,
  aRepository,
  commit,
  commitInCheckout,
  gitIn,
  ownCheckout,
  requestFor,
  write,
} from './repositories.ts';

const BRANCH = 'pilothouse/fix-the-test';
const notices = (events: readonly { type: string }[]) =>
  events.filter(({ type }) => type === 'notice/raised');

describe('bringBack', () => {
  test('puts the session’s commits on its branch in the person’s repository', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    commitInCheckout(checkout, 'a', 'a');
    const head = commitInCheckout(checkout, 'b', 'b');
    write(checkout.top, 'not-yet', 'x');
    write(checkout.top, 'a', 'changed');
    const events = await bringBack(checkout, TURN);
    expect(events).toEqual([
      {
        type: 'checkout/broughtBack',
        turnId: TURN,
        branch: BRANCH,
        commit: head,
        commits: 2,
        uncommittedFiles: 2,
      },
    ]);
    expect(events.map((event) => engineEvent.parse(event))).toEqual(events);
    expect(gitIn(source, 'rev-parse', BRANCH)).toBe(head);
    expect(gitIn(source, 'show', `${BRANCH}:b`)).toBe('b');
  });

  test('brings back commits that edit what the repository had, turn after turn', async () => {
    const source = aRepository();
    commit(source, 'edited', 'before');
    const checkout = await ownCheckout(source);
    for (const text of ['once', 'twice']) {
      const head = commitInCheckout(checkout, 'edited', text);
      write(checkout.top, 'edited', `${text}, and not committed`);
      const events = await bringBack(checkout, TURN);
      expect(events).toMatchObject([{ commit: head, uncommittedFiles: 1 }]);
      expect(gitIn(source, 'show', `${BRANCH}:edited`)).toBe(text);
    }
  });

  test('makes no branch for a session that committed nothing', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    write(checkout.top, 'odd\nname', 'x');
    expect(await bringBack(checkout, null)).toEqual([
      {
        type: 'checkout/broughtBack',
        turnId: null,
        branch: BRANCH,
        commit: checkout.baseCommit,
        commits: 0,
        uncommittedFiles: 1,
      },
    ]);
    expect(gitIn(source, 'for-each-ref', 'refs/heads/pilothouse')).toBe('');
  });

  test('moves the branch on after each turn, and changes nothing when nothing changed', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    commitInCheckout(checkout, 'a', 'a');
    const first = await bringBack(checkout, TURN);
    expect(await bringBack(checkout, TURN)).toEqual(first);
    const head = commitInCheckout(checkout, 'b', 'b');
    await bringBack(checkout, TURN);
    expect(gitIn(source, 'rev-parse', BRANCH)).toBe(head);
  });

  test('leaves what the person did to the branch, and says where the session’s work is', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    commitInCheckout(checkout, 'a', 'a');
    await bringBack(checkout, TURN);
    gitIn(source, 'checkout', '--quiet', BRANCH);
    const theirs = commit(source, 'theirs', 'theirs');
    gitIn(source, 'checkout', '--quiet', 'main');
    const head = commitInCheckout(checkout, 'b', 'b');
    const events = await bringBack(checkout, TURN);
    expect(notices(events)).toEqual([
      expect.objectContaining({
        code: 'branch_moved',
        message: expect.stringContaining(broughtRef(SESSION)),
      }),
    ]);
    expect(gitIn(source, 'rev-parse', BRANCH)).toBe(theirs);
    expect(gitIn(source, 'rev-parse', broughtRef(SESSION))).toBe(head);
    expect(notices(await bringBack(checkout, TURN))).toEqual([]);
  });

  test('does not force a branch whose history the session rewrote', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    const first = commitInCheckout(checkout, 'a', 'a');
    await bringBack(checkout, TURN);
    gitIn(checkout.top, 'commit', '--quiet', '--amend', '-m', 'again');
    expect(notices(await bringBack(checkout, TURN))).toHaveLength(1);
    expect(gitIn(source, 'rev-parse', BRANCH)).toBe(first);
  });

  test('never moves a branch that the person has checked out, in any working tree', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    const first = commitInCheckout(checkout, 'a', 'a');
    await bringBack(checkout, TURN);
    const linked = join(aDirectory(), 'linked');
    gitIn(source, 'worktree', 'add', '--quiet', linked, BRANCH);
    commitInCheckout(checkout, 'b', 'b');
    expect(notices(await bringBack(checkout, TURN))).toMatchObject([
      { code: 'branch_checked_out' },
    ]);
    expect(gitIn(linked, 'rev-parse', 'HEAD')).toBe(first);
    expect(gitIn(linked, 'status', '--porcelain')).toBe('');
  });

  test('brings back branches that the session made beside its own, odd names and a bare HEAD too', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    gitIn(checkout.top, 'checkout', '--quiet', '-b', 'fix/deep');
    const deep = commitInCheckout(checkout, 'deep', 'deep');
    gitIn(
      checkout.top,
      'update-ref',
      'refs/heads/--upload-pack=touch',
      commitInCheckout(checkout, 'odd', 'odd'),
    );
    gitIn(checkout.top, 'reset', '--quiet', '--hard', deep);
    gitIn(checkout.top, 'checkout', '--quiet', '--detach');
    const bare = commitInCheckout(checkout, 'bare', 'bare');
    await bringBack(checkout, TURN);
    expect(gitIn(source, 'rev-parse', `${BRANCH}--fix-deep`)).toBe(deep);
    expect(gitIn(source, 'show', `${BRANCH}--upload-pack-touch:odd`)).toBe('odd');
    expect(gitIn(source, 'rev-parse', `${BRANCH}--detached`)).toBe(bare);
    expect(gitIn(source, 'rev-parse', '--verify', 'main')).toBe(checkout.baseCommit);
  });

  test('does not take what was only fetched for the session’s work', async () => {
    const remote = aDirectory();
    gitIn(remote, 'init', '--quiet', '--bare', '--initial-branch=main');
    const source = aRepository();
    gitIn(source, 'remote', 'add', 'origin', remote);
    gitIn(source, 'push', '--quiet', '-u', 'origin', 'main');
    const checkout = await ownCheckout(source);
    commit(source, 'colleague', 'x');
    gitIn(source, 'push', '--quiet', 'origin', 'main');
    gitIn(checkout.top, 'fetch', '--quiet', 'origin');
    gitIn(checkout.top, 'branch', 'main', 'origin/main');
    await bringBack(checkout, TURN);
    expect(gitIn(source, 'for-each-ref', 'refs/heads/pilothouse')).toBe('');
  });

  test('works back into a shallow repository and into a bare one', async () => {
    const origin = aRepository();
    commit(origin, 'two', 'two');
    for (const flags of [
      ['--depth=1', `file://${origin}`],
      ['--bare', origin],
    ]) {
      const source = join(aDirectory(), 'source');
      gitIn(origin, 'clone', '--quiet', ...flags, source);
      gitIn(source, 'config', 'user.name', 'Ada');
      gitIn(source, 'config', 'user.email', 'ada@example.com');
      const checkout = await ownCheckout(source);
      const head = commitInCheckout(checkout, 'a', 'a');
      expect(notices(await bringBack(checkout, TURN))).toEqual([]);
      expect(gitIn(source, 'rev-parse', BRANCH)).toBe(head);
    }
  });

  test('says so when the person’s repository is gone, and keeps the work', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    commitInCheckout(checkout, 'a', 'a');
    rmSync(join(source, '.git'), { recursive: true });
    await expect(bringBack(checkout, TURN)).rejects.toMatchObject({
      code: 'workspace_refused',
      message: expect.stringContaining('no longer there'),
    });
    expect(existsSync(join(checkout.top, 'a'))).toBe(true);
  });

  test('works after the linked worktree that the session was launched in was removed', async () => {
    const source = aRepository();
    const linked = join(aDirectory(), 'linked');
    gitIn(source, 'worktree', 'add', '--quiet', '-b', 'side', linked);
    const checkout = await ownCheckout(linked);
    const head = commitInCheckout(checkout, 'a', 'a');
    gitIn(source, 'worktree', 'remove', linked);
    expect(notices(await bringBack(checkout, TURN))).toEqual([]);
    expect(gitIn(source, 'rev-parse', BRANCH)).toBe(head);
  });

  test('has nothing to bring back in place', async () => {
    const checkout = await prepareCheckout(
      requestFor(aRepository(), { spec: { checkout: 'inPlace' } }),
    );
    expect(await bringBack(checkout, TURN)).toEqual([]);
  });
});
