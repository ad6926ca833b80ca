import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OwnCheckout } from '../../../runner/guard/checkout.ts';
import type { Release } from '../../../runner/guard/release.ts';
import { CHECKOUT_KEEP_MS, decideReleasable } from '../../../runner/sessions/retention.ts';
import type { Phase } from '../../../runner/sessions/session-state.ts';
import { turnNumber } from '../../support/session-simulator.ts';
import { aSessionId, aStart, anInstruction } from '../../support/runner-builders.ts';
import { SessionHouse } from '../../support/session-house.ts';

const checkoutOf = (sessionId: OwnCheckout['sessionId']): OwnCheckout => ({
  mode: 'own',
  sessionId,
  directory: '/c',
  top: '/c',
  branch: 'pilothouse/work',
  baseCommit: 'a',
  keptCommit: 'a',
  included: [],
  fromUncommitted: false,
  source: { top: '/r', commonDirectory: '/r/.git', bare: false },
  view: '/v',
});

describe('a checkout', () => {
  const OWN = checkoutOf(aSessionId());
  const over: Phase = { kind: 'over', how: 'ended' };
  const state = (phase: Phase, bringing = false) => ({
    phase,
    launchedAt: 5,
    bringingBack: bringing ? turnNumber(1) : null,
  });

  test('of a session that is over may go once its time is over, and no moment before', () => {
    expect(decideReleasable(state(over), OWN, 4 + CHECKOUT_KEEP_MS)).toBe(false);
    expect(decideReleasable(state(over), OWN, 5 + CHECKOUT_KEEP_MS)).toBe(true);
  });

  test.each<Phase>([
    { kind: 'preparing' },
    { kind: 'backoff', untilMs: 1 },
    { kind: 'ready', idleSince: 1 },
    { kind: 'resting' },
    { kind: 'ending', ending: { why: 'stop' } },
  ])('of a session that is not over stays, however old: $kind', (phase) => {
    expect(decideReleasable(state(phase), OWN, Infinity)).toBe(false);
  });

  test('whose commits are on their way stays, and there is none in place', () => {
    expect(decideReleasable(state(over, true), OWN, Infinity)).toBe(false);
    const inPlace = { ...OWN, mode: 'inPlace' as const, branch: null, baseCommit: null };
    expect(decideReleasable(state(over), inPlace, Infinity)).toBe(false);
    expect(decideReleasable(state(over), null, Infinity)).toBe(false);
  });
});

describe('a runner keeps house', () => {
  let house: SessionHouse;
  beforeEach(() => {
    house = new SessionHouse({ probe: () => Promise.reject(new Error('no engine')) });
  });
  afterEach(() => house.close());

  /** A session whose launch failed long ago and that has a checkout, under the next runner. */
  async function longOver(answer: Release) {
    const session = aSessionId();
    await house.receive(
      aStart(session, 'go', { engineId: 'scripted', directory: house.directory, checkout: 'own' }),
    );
    const [row] = house.sessions.list();
    if (!row) throw new Error('the launch left no session');
    house.sessions.save({ ...row, checkout: checkoutOf(session) }, house.now);
    const asked: unknown[] = [];
    house.restart({
      release: (checkout) => {
        asked.push(checkout.sessionId);
        return Promise.resolve(answer);
      },
    });
    // In the session's lane: it has been taken up by then.
    await house.receive(anInstruction(session, 'too late'));
    return { session, asked };
  }
  const stored = () => house.sessions.list()[0]?.checkout;

  test('and forgets a checkout that is gone, so that a later launch makes a new one', async () => {
    const { session, asked } = await longOver({ removed: true });
    await house.supervisor.releaseCheckouts();
    expect(asked).toEqual([]);
    house.now += CHECKOUT_KEEP_MS;
    await house.supervisor.releaseCheckouts();
    expect(asked).toEqual([session]);
    expect(stored()).toBeNull();
    await house.supervisor.releaseCheckouts();
    expect(asked).toHaveLength(1);
  });

  test('and keeps one in which something would be lost, saying so', async () => {
    await longOver({ removed: false, reason: 'There is a stash.' });
    house.now += CHECKOUT_KEEP_MS;
    await house.supervisor.releaseCheckouts();
    expect(stored()).toMatchObject({ mode: 'own' });
    expect(house.logged).toContain('a checkout is kept');
  });
});
