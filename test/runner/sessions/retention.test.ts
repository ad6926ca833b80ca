import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KEPT_MS } from '../../../protocol/retention.ts';
import type { SessionId } from '../../../protocol/ids.ts';
import type { Release } from '../../../runner/guard/release.ts';
import { decideReleasable, pageOfCheckouts } from '../../../runner/sessions/retention.ts';
import type { LaunchPorts } from '../../../runner/sessions/launcher.ts';
import type { Phase } from '../../../runner/sessions/session-state.ts';
import { turnNumber } from '../../support/session-simulator.ts';
import { anInstruction, aSessionId } from '../../support/runner-builders.ts';
import { SessionHouse } from '../../support/session-house.ts';

describe('a checkout', () => {
  const over: Phase = { kind: 'over', how: 'ended' };
  const state = (phase: Phase, bringing = false) => ({
    phase,
    launchedAt: 5,
    bringingBack: bringing ? turnNumber(1) : null,
  });

  test('of a session that is over may go once its time is over, and no moment before', () => {
    expect(decideReleasable(state(over), 70, 74)).toBe(false);
    expect(decideReleasable(state(over), 70, 75)).toBe(true);
  });

  test.each<Phase>([
    { kind: 'preparing' },
    { kind: 'backoff', untilMs: 1 },
    { kind: 'ready', idleSince: 1 },
    { kind: 'resting' },
    { kind: 'ending', ending: { why: 'stop' } },
  ])('of a session that is not over stays, however old: $kind', (phase) => {
    expect(decideReleasable(state(phase), 0, Infinity)).toBe(false);
  });

  test('whose commits are on their way stays', () => {
    expect(decideReleasable(state(over, true), 0, Infinity)).toBe(false);
  });
});

describe('a page of checkouts', () => {
  const started = [1, 3, 3, 2].map((startedAt, index) => ({
    sessionId: `ses_${index}` as SessionId,
    startedAt,
  }));
  const idsOf = (page: ReturnType<typeof pageOfCheckouts>) =>
    page.items.map(({ sessionId }) => sessionId);

  test('has the newest first, and the cursor of the next one', () => {
    const first = pageOfCheckouts(started, null, 3);
    expect(idsOf(first)).toEqual(['ses_1', 'ses_2', 'ses_3']);
    const second = pageOfCheckouts(started, first.nextCursor, 3);
    expect([idsOf(second), second.nextCursor]).toEqual([['ses_0'], null]);
  });

  test('goes on where one ended early, and behind one that is gone by then', () => {
    const first = pageOfCheckouts(started, null, 3);
    const cursor = first.cursorAfter(1);
    const without = started.filter(({ sessionId }) => sessionId !== 'ses_1');
    expect(idsOf(pageOfCheckouts(without, cursor, 9))).toEqual(['ses_2', 'ses_3', 'ses_0']);
    expect(idsOf(pageOfCheckouts(started, '0.ses_9', 9))).toEqual([]);
  });
});

describe('a runner keeps house', () => {
  let house: SessionHouse;
  beforeEach(() => {
    house = new SessionHouse({ probe: () => Promise.reject(new Error('no engine')) });
  });
  afterEach(() => house.close());

  /** A session that was over long ago and has a checkout, under the next runner. */
  async function longOver(answer: Release, ports: Partial<LaunchPorts> = {}) {
    const session = aSessionId();
    await house.leaveCheckout(session);
    const asked: unknown[] = [];
    house.restart({
      release: (checkout) => {
        asked.push(checkout.sessionId);
        return Promise.resolve(answer);
      },
      ...ports,
    });
    // In the session's lane: it has been taken up by then.
    await house.receive(anInstruction(session, 'too late'));
    return { session, asked };
  }
  const stored = () => house.sessions.list()[0]?.checkout;

  test('and forgets a checkout that is gone, so that a later launch makes a new one', async () => {
    const { session, asked } = await longOver({ removed: true });
    await house.supervisor.checkouts.releaseOld();
    expect(asked).toEqual([]);
    house.now += KEPT_MS.checkout;
    await house.supervisor.checkouts.releaseOld();
    expect(asked).toEqual([session]);
    expect(stored()).toBeNull();
    await house.supervisor.checkouts.releaseOld();
    expect(asked).toHaveLength(1);
  });

  test('and removes nothing while the limits cannot be read, which may say to keep it longer', async () => {
    const { asked } = await longOver({ removed: true }, { readKept: () => null });
    house.now += 10 * KEPT_MS.checkout;
    await house.supervisor.checkouts.releaseOld();
    expect(asked).toEqual([]);
  });

  test('and keeps one in which something would be lost, saying so', async () => {
    await longOver({ removed: false, losses: ['There is a stash.'] });
    house.now += KEPT_MS.checkout;
    await house.supervisor.checkouts.releaseOld();
    expect(stored()).toMatchObject({ mode: 'own' });
    expect(house.logged).toContain('a checkout is kept');
  });
});
