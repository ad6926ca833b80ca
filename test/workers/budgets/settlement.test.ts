import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { runnerId, type TurnId } from '../../../protocol/ids.ts';
import { settlementOf } from '../../../workers/budgets/settlement.ts';
import { exhaustedContext } from '../../../workers/budgets/words.ts';
import { takenAgainAt } from '../../../workers/pilot/core/budget-wait.ts';
import {
  aUsage,
  created,
  OTHER_TURN,
  SESSION,
  TURN,
  viewAfter,
} from '../../support/protocol-builders.ts';
import { readyEvents, turnEnded } from '../support/sessions.ts';

const RUNNER = runnerId.parse('run_1');
const BOTH = [TURN, OTHER_TURN];
const accepted: FeedEvent = {
  type: 'turn/accepted',
  turnId: OTHER_TURN,
  text: 'And then?',
  actorId: 'usr_1' as never,
};
const delivered = (delivery: 'unknown' | 'undelivered'): FeedEvent => ({
  type: 'turn/delivered',
  turnId: OTHER_TURN,
  delivery,
  reason: 'the machine was away',
});
const ended: FeedEvent = { type: 'session/ended', end: 'stopped', reason: 'A person stopped it.' };
const first: FeedEvent = {
  type: 'turn/accepted',
  turnId: TURN,
  text: 'Fix it',
  actorId: 'usr_1' as never,
};
const begun = [created(), first, ...readyEvents(TURN)];
const told = (events: readonly FeedEvent[], held = BOTH, underway: TurnId[] = []) =>
  settlementOf({ runnerId: RUNNER, view: viewAfter(...events), underway }, held);

describe('what the record of a session says to the budgets', () => {
  it('has all that the session came to, and where', () => {
    const usage: FeedEvent = {
      type: 'usage/recorded',
      turnId: TURN,
      entries: [aUsage({ microUsd: 40 }), aUsage({ microUsd: 2, payer: 'subscription' })],
    };
    expect(told([...begun, usage])).toMatchObject({
      sessionId: SESSION,
      place: { runnerId: RUNNER },
      spend: { all: 42, paid: 40 },
      ended: [],
      released: [],
    });
  });

  it('holds on to a turn under way and to one that waits for its machine', () => {
    expect(told([...begun, accepted])).toMatchObject({ ended: [], released: [] });
  });

  it('names a turn that ended, of those that were asked for alone', () => {
    expect(told([...begun, turnEnded(TURN)])).toMatchObject({ ended: [TURN], released: [] });
    expect(told([...begun, turnEnded(TURN)], [OTHER_TURN])).toMatchObject({ ended: [] });
  });

  it('frees what reached no engine, and keeps what may have', () => {
    const undelivered = [...begun, accepted, delivered('undelivered')];
    expect(told(undelivered)).toMatchObject({ ended: [], released: [OTHER_TURN] });
    const unknown = [...begun, accepted, delivered('unknown')];
    expect(told(unknown)).toMatchObject({ ended: [], released: [] });
  });

  it('keeps what came back and is being handed over again, whatever the record says by now', () => {
    const undelivered = [...begun, accepted, delivered('undelivered')];
    expect(told(undelivered, BOTH, [OTHER_TURN])).toMatchObject({ ended: [], released: [] });
    expect(told([...undelivered, ended], BOTH, [OTHER_TURN])).toMatchObject({ released: [] });
  });

  it('counts what may have begun once the session is over, and frees what never did', () => {
    expect(told([...begun, accepted, ended])).toMatchObject({
      ended: [TURN],
      released: [OTHER_TURN],
    });
    const unknown = [...begun, accepted, delivered('unknown'), ended];
    expect(told(unknown)).toMatchObject({ ended: BOTH, released: [] });
  });
});

describe('what is said of a budget', () => {
  const standing = {
    scope: { kind: 'account' as const },
    unit: 'turns' as const,
    renews: 'never' as const,
    counts: 'all' as const,
    zone: 'UTC',
    version: 1,
    savedBy: 'cli' as const,
    savedAt: 0,
    limit: 10,
    used: 10,
    reserved: 0,
    renewsAt: null,
  };

  it('names what is used and when it renews', () => {
    expect(exhaustedContext(standing)).toMatchObject({
      used: 10,
      limit: 10,
      heldByTurns: false,
      detail: 'The budget of the account (10 turns) has come to 10 turns. It does not renew.',
    });
  });

  it('lets nobody wait for what a whole period would not cover', () => {
    const daily = { ...standing, used: 0, renewsAt: 99 };
    const waits = (needed: number) =>
      takenAgainAt({ code: 'model_over_budget', context: exhaustedContext(daily, needed) }, 1);
    expect(waits(11)).toBeNull();
    expect(takenAgainAt({ code: 'budget_exhausted', context: { renewsAt: 99 } }, 1)).toBe(99);
  });

  it('says when turns under way hold the rest, so that waiting for them may be enough', () => {
    const { heldByTurns, detail } = exhaustedContext({ ...standing, used: 8, reserved: 2 });
    expect(heldByTurns).toBe(true);
    expect(detail).toContain('and turns under way may still come to 2 turns');
    expect(detail).toContain('comes back when they end');
  });
});
