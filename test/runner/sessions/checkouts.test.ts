import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEPT_MS } from '../../../protocol/retention.ts';
import type { LaunchPorts } from '../../../runner/sessions/launcher.ts';
import { aSessionId, aStart, anInstruction } from '../../support/runner-builders.ts';
import { SessionHouse } from '../../support/session-house.ts';

let house: SessionHouse;
beforeEach(() => {
  house = new SessionHouse({ probe: () => Promise.reject(new Error('no engine')) });
});
afterEach(() => house.close());

/** A session that is over and has a checkout, under the next runner. */
async function anOver(
  losses: string[] = [],
  released: boolean[] = [],
  ports: Partial<LaunchPorts> = {},
) {
  const session = aSessionId();
  const top = join(house.directory, 'checkout');
  mkdirSync(top);
  writeFileSync(join(top, 'large'), Buffer.alloc(100_000));
  await house.leaveCheckout(session, { top });
  house.restart({
    listLosses: () => Promise.resolve(losses),
    release: (_, discard) => {
      released.push(discard);
      return Promise.resolve(
        losses.length > 0 && !discard ? { removed: false, losses } : { removed: true },
      );
    },
    ...ports,
  });
  // In the session's lane: it has been taken up by then.
  await house.receive(anInstruction(session, 'too late'));
  return session;
}
const checkouts = () => house.supervisor.checkouts;
const stored = () => house.sessions.list()[0]?.checkout;

describe('the list of checkouts', () => {
  test('tells of each what it is, how large, and that it may go', async () => {
    const sessionId = await anOver();
    const { items, nextCursor } = await checkouts().list(null, 10);
    expect(nextCursor).toBeNull();
    expect(items).toMatchObject([
      {
        sessionId,
        title: 'Fix the test',
        repository: '/r',
        branch: 'pilothouse/work',
        standing: 'safe',
      },
    ]);
    expect(items[0]?.bytes).toBeGreaterThan(100_000);
    expect((items[0]?.expiresAt ?? 0) - (items[0]?.startedAt ?? 0)).toBe(KEPT_MS.checkout);
  });

  test('tells when it goes by what the machine’s own limits say now', async () => {
    await anOver([], [], { readKept: () => ({ checkout: 86_400_000, output: 1, image: 1 }) });
    const { items } = await checkouts().list(null, 10);
    expect((items[0]?.expiresAt ?? 0) - (items[0]?.startedAt ?? 0)).toBe(86_400_000);
  });

  test('names what would be lost', async () => {
    await anOver(['There is a stash.']);
    const { items } = await checkouts().list(null, 10);
    expect(items).toMatchObject([{ standing: 'unsaved', losses: ['There is a stash.'] }]);
  });

  test('does not look into one whose session is not over', async () => {
    const session = aSessionId();
    house = new SessionHouse({ listLosses: () => Promise.reject(new Error('it was looked into')) });
    await house.leaveCheckout(session);
    house.restart();
    expect((await checkouts().list(null, 10)).items).toMatchObject([
      { standing: 'open', losses: [] },
    ]);
  });

  test('leaves out sessions that work in place', async () => {
    await house.receive(aStart(aSessionId(), 'go', { engineId: 'scripted' }));
    expect(await checkouts().list(null, 10)).toEqual({ items: [], nextCursor: null });
  });
});

describe('removing a checkout', () => {
  test('is done at once when nothing would be lost, and there is none afterwards', async () => {
    const session = await anOver();
    expect(await checkouts().remove(session, false)).toMatchObject({ sessionId: session });
    expect(stored()).toBeNull();
    await expect(checkouts().remove(session, false)).rejects.toMatchObject({
      code: 'checkout_not_found',
    });
  });

  test('is refused while something would be lost, naming it', async () => {
    const session = await anOver(['There is a stash.', '1 commit is in no branch.']);
    await expect(checkouts().remove(session, false)).rejects.toMatchObject({
      code: 'checkout_unsaved',
      message: expect.stringContaining('There is a stash. 1 commit is in no branch.'),
    });
    expect(stored()).not.toBeNull();
  });

  test('gives work up only when told to', async () => {
    const released: boolean[] = [];
    const session = await anOver(['There is a stash.'], released);
    await checkouts().remove(session, true);
    expect([released, stored()]).toEqual([[true], null]);
  });

  test('is refused while the session is not over, whatever is said', async () => {
    const session = aSessionId();
    house = new SessionHouse();
    await house.leaveCheckout(session);
    house.restart({ release: () => Promise.reject(new Error('it was removed')) });
    await expect(checkouts().remove(session, true)).rejects.toMatchObject({
      code: 'checkout_in_use',
    });
  });

  test('is refused for a session that this machine does not know', async () => {
    await expect(checkouts().remove(aSessionId(), true)).rejects.toMatchObject({
      code: 'checkout_not_found',
    });
  });
});
