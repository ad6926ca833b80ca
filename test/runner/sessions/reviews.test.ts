import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionId } from '../../../protocol/ids.ts';
import type { CheckoutReview } from '../../../protocol/review.ts';
import type { HeadlessSession } from '../../../runner/sessions/headless-session.ts';
import { Reviews } from '../../../runner/sessions/reviews.ts';
import type { SessionDeps } from '../../../runner/sessions/session-deps.ts';
import { anOwnCheckout } from '../../support/runner-builders.ts';
import { SESSION } from '../../support/protocol-builders.ts';
import { scriptedEngine } from '../../support/scripted-engine.ts';
import { SessionHouse } from '../../support/session-house.ts';

const TREE = 'a'.repeat(40);
const QUERY = { tree: TREE, path: 'a.ts' };
const REVIEW = { sessionId: SESSION, tree: TREE } as CheckoutReview;

let house: SessionHouse;
let secrets: { name: string; value: string }[];
beforeEach(async () => {
  secrets = [{ name: 'API_KEY', value: 'canary-value-1' }];
  house = new SessionHouse({
    review: () => Promise.resolve(REVIEW),
    readPatch: () =>
      Promise.resolve({ path: 'a.ts', patch: '+key = "canary-value-1"\n', cutChars: 0 }),
    readSecrets: () => Promise.resolve(secrets),
  });
  await house.leaveCheckout(SESSION);
  house.restart();
});
afterEach(() => house.close());

/** The session as its row is after `change`, in a new runner. */
function become(change: (row: ReturnType<SessionHouse['sessions']['list']>[number]) => object) {
  const row = house.sessions.list().find(({ state }) => state.sessionId === SESSION);
  if (!row) throw new Error('the session is not there');
  house.sessions.save({ ...row, ...change(row) }, house.now);
  house.restart();
}

describe('what a session changed', () => {
  test('is shown between its turns', async () => {
    expect(await house.supervisor.reviews.review(SESSION)).toEqual(REVIEW);
  });

  test('is shown without a secret', async () => {
    const { patch } = await house.supervisor.reviews.patch(SESSION, QUERY);
    expect(patch).toContain('key = "');
    expect(patch).not.toContain('canary');
    secrets = [];
    expect((await house.supervisor.reviews.patch(SESSION, QUERY)).patch).toContain('canary');
  });

  test.each([
    ['a session that is not known', 'ses_nowhere', 'session_not_found'],
    ['one in place', SESSION, 'checkout_not_found'],
  ])('is not there for %s', async (_, sessionId, code) => {
    if (code === 'checkout_not_found')
      become(() => ({ checkout: { ...anOwnCheckout(SESSION), mode: 'inPlace' } }));
    const asked = house.supervisor.reviews.review(sessionId as SessionId);
    await expect(asked).rejects.toMatchObject({ code });
  });

  test.each([
    ['while a turn is open', { openTurnId: 'trn_1' }],
    ['while the engine has an instruction', { held: { turnId: 'trn_1' } }],
    ['while a person drives', { phase: { kind: 'driven', closing: null } }],
  ])('waits %s', async (_, over) => {
    const [row] = house.sessions.list();
    const session = { row: { ...row, state: { ...row?.state, ...over } } } as HeadlessSession;
    const reviews = new Reviews(
      { ports: { findEngine: () => scriptedEngine() } as unknown as SessionDeps['ports'] },
      { sessions: new Map([[SESSION, session]]), inLane: (__, look) => look() },
    );
    const code = 'checkout_working';
    await expect(async () => reviews.review(SESSION)).rejects.toMatchObject({ code });
    await expect(async () => reviews.patch(SESSION, QUERY)).rejects.toMatchObject({ code });
  });
});
