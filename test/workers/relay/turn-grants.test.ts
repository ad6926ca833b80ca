import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { LOCAL_ACTOR, runnerId, type TurnId } from '../../../protocol/ids.ts';
import type { TurnGrant } from '../../../protocol/shared-budget.ts';
import { settlementOf } from '../../../workers/budgets/settlement.ts';
import type { BookCalls, GrantRequest, Settlement } from '../../../workers/lib/calls.ts';
import { type Outcome, refuse, succeed } from '../../../workers/lib/outcome.ts';
import type { FeedDecision, Grants } from '../../../workers/relay/feed-decisions.ts';
import type { RecordState } from '../../../workers/relay/session-record.ts';
import { TurnGrants } from '../../../workers/relay/turn-grants.ts';
import {
  aLaunch,
  aUsage,
  created,
  OTHER_TURN,
  SESSION,
  TURN,
  viewAfter,
} from '../../support/protocol-builders.ts';
import { readyEvents, turnEnded } from '../support/sessions.ts';

const RUNNER = runnerId.parse('run_1');
const NOTHING: FeedDecision = { kind: 'change', change: { events: [], commands: [] } };
const accepted = (turnId: TurnId): FeedEvent => ({
  type: 'turn/accepted',
  turnId,
  text: 'go',
  actorId: LOCAL_ACTOR,
});
const undelivered = (turnId: TurnId): FeedEvent => ({
  type: 'turn/delivered',
  turnId,
  delivery: 'undelivered',
  reason: 'the launch failed',
});

/** Nothing of a brain is on record here. */
const NO_CALLS = { exec: () => ({ toArray: () => [] }) } as unknown as SqlStorage;

/** A session beside a book that grants what it is told to. */
class House {
  reserved: GrantRequest[] = [];
  settled: Settlement[] = [];
  applied: FeedDecision[] = [];
  faults: unknown[] = [];
  /** How often the way to the book was made. */
  ways = 0;
  answer: (request: GrantRequest) => Outcome<TurnGrant | null> = () => succeed(null);
  settle: () => Promise<string[]> = async () => [];
  state: RecordState | null;
  carried: TurnId[] = [];
  readonly grants: TurnGrants;

  constructor(...events: FeedEvent[]) {
    const facts = { runnerId: RUNNER, epoch: 1 } as RecordState['facts'];
    this.state = { facts, view: viewAfter(created(), ...events) };
    this.grants = new TurnGrants(NO_CALLS, {
      book: () => this.#book(),
      state: () => this.state,
      carried: () => this.carried,
      apply: async (decision) => {
        this.applied.push(decision);
        return decision.kind === 'refused' ? refuse(decision.code) : succeed(null);
      },
      failed: (fault) => void this.faults.push(fault),
    });
  }

  #book(): BookCalls {
    this.ways += 1;
    const book: Partial<BookCalls> = {
      reserve: async (request) => {
        this.reserved.push(request);
        return this.answer(request);
      },
      settle: (settlement) => {
        this.settled.push(settlement);
        return this.settle();
      },
    };
    return book as BookCalls;
  }
}

describe('an instruction', () => {
  it('is decided on with what its turn was granted, after a look at what the session came to', async () => {
    const usage: FeedEvent = {
      type: 'usage/recorded',
      turnId: TURN,
      entries: [aUsage({ microUsd: 7 })],
    };
    const house = new House(accepted(TURN), ...readyEvents(TURN), usage, turnEnded(TURN));
    const grant = { microUsd: 50, paidMicroUsd: null };
    house.answer = () => succeed(grant);
    const seen: unknown[] = [];
    await house.grants.forTurn(OTHER_TURN, (its) => {
      seen.push(its);
      return NOTHING;
    });
    expect(seen).toEqual([null, grant]);
    expect(house.reserved).toMatchObject([
      {
        turnId: OTHER_TURN,
        sessionId: SESSION,
        place: { runnerId: RUNNER },
        spend: { all: 7, paid: 7 },
      },
    ]);
    expect(house.applied).toEqual([NOTHING]);
  });

  it('that is refused or changes nothing asks no budget for anything', async () => {
    const house = new House(accepted(TURN));
    const refused = await house.grants.forTurn(TURN, () => ({
      kind: 'refused',
      code: 'turn_conflict',
    }));
    expect(refused).toMatchObject({ ok: false, code: 'turn_conflict' });
    await house.grants.forTurn(TURN, () => ({ kind: 'unchanged' }));
    expect(house.reserved).toEqual([]);
  });

  it('without anything left leaves no trace in the record', async () => {
    const house = new House(accepted(TURN));
    house.answer = () => refuse('budget_exhausted');
    const outcome = await house.grants.forTurn(OTHER_TURN, () => NOTHING);
    expect(outcome).toMatchObject({ ok: false, code: 'budget_exhausted' });
    expect(house.applied).toEqual([]);
  });

  it('asks by a new way each time, because an object may have been reset', async () => {
    const house = new House(accepted(TURN));
    await house.grants.forTurn(OTHER_TURN, () => NOTHING);
    await house.grants.forTurn(OTHER_TURN, () => NOTHING);
    expect(house.ways).toBe(2);
  });

  it('is decided on again after the look: the session may have ended meanwhile', async () => {
    const house = new House(accepted(TURN));
    let asked = 0;
    const outcome = await house.grants.forTurn(OTHER_TURN, () => {
      asked += 1;
      return asked === 1 ? NOTHING : { kind: 'refused', code: 'session_ended' };
    });
    expect(outcome).toMatchObject({ ok: false, code: 'session_ended' });
  });
});

describe('a turn that came back and is sent again', () => {
  const back = [accepted(TURN), undelivered(TURN)];
  /** What the session lets go of, were it looked at now. */
  const freed = ({ grants, state }: House) =>
    state && settlementOf(grants.tell(state), [TURN]).released;

  it('keeps its grant from before it is asked for until something is heard of it', async () => {
    const house = new House(...back);
    expect(freed(house)).toEqual([TURN]);
    let meanwhile: unknown = null;
    house.answer = () => {
      meanwhile = freed(house);
      return succeed({ microUsd: 5, paidMicroUsd: null });
    };
    await house.grants.forTurn(TURN, () => NOTHING);
    expect(meanwhile).toEqual([]);
    expect(freed(house)).toEqual([]);
    house.grants.follow([undelivered(TURN)]);
    expect(freed(house)).toEqual([TURN]);
  });

  it('keeps it while a command carries it, whatever its feed has forgotten', () => {
    const house = new House(...back);
    house.carried = [TURN];
    expect(freed(house)).toEqual([]);
  });

  it('keeps it through a retry, and loses it where that is refused or the launch fails', async () => {
    const house = new House(...back);
    await house.grants.forRequest('retry', () => NOTHING);
    expect(freed(house)).toEqual([]);
    house.grants.follow([{ type: 'session/ended', end: 'stopped', reason: 'By a person.' }]);
    expect(freed(house)).toEqual([TURN]);
    house.answer = () => refuse('budget_exhausted');
    await house.grants.forTurn(TURN, () => NOTHING);
    expect(freed(house)).toEqual([TURN]);
  });
});

describe('the first turn of a session', () => {
  it('is granted by where the session is to work, with nothing spent', async () => {
    const house = new House();
    const launch = aLaunch({ directory: '/code/shop' });
    const input = { runnerId: RUNNER, actorId: LOCAL_ACTOR, launch, turnId: TURN };
    await house.grants.reserveFirst(SESSION, input);
    expect(house.reserved).toMatchObject([
      {
        turnId: TURN,
        place: { runnerId: RUNNER, directory: '/code/shop' },
        spend: { all: 0, paid: 0 },
      },
    ]);
  });
});

describe('a retry', () => {
  const waiting = [
    accepted(TURN),
    undelivered(TURN),
    accepted(OTHER_TURN),
    undelivered(OTHER_TURN),
  ];

  it('hands every turn over again with a grant of its own', async () => {
    const house = new House(...waiting);
    house.answer = ({ turnId }) =>
      succeed(turnId === TURN ? { microUsd: 5, paidMicroUsd: null } : null);
    let given: Grants = new Map();
    await house.grants.forRequest('retry', (grants = new Map()) => {
      given = grants;
      return NOTHING;
    });
    expect(house.reserved.map(({ turnId }) => turnId)).toEqual([TURN, OTHER_TURN]);
    expect([...given]).toEqual([[TURN, { microUsd: 5, paidMicroUsd: null }]]);
  });

  it('is refused whole where one of them has nothing left', async () => {
    const house = new House(...waiting);
    house.answer = ({ turnId }) => (turnId === TURN ? succeed(null) : refuse('budget_exhausted'));
    const outcome = await house.grants.forRequest('retry', () => NOTHING);
    expect(outcome).toMatchObject({ ok: false, code: 'budget_exhausted' });
    expect(house.applied).toEqual([]);
  });

  it('alone asks: to interrupt, to stop and to dismiss cost nothing', async () => {
    const house = new House(...waiting);
    for (const action of ['interrupt', 'stop', 'dismiss'] as const)
      await house.grants.forRequest(action, () => NOTHING);
    expect(house.reserved).toEqual([]);
    expect(house.applied).toHaveLength(3);
  });
});

describe('what happened in a session', () => {
  const done = [accepted(TURN), ...readyEvents(TURN), turnEnded(TURN)];

  it('is told to the budgets when a turn may be over, and not with every word', async () => {
    const house = new House(...done);
    house.grants.follow(readyEvents(TURN));
    expect(house.settled).toEqual([]);
    house.grants.follow([turnEnded(TURN)]);
    expect(house.settled).toMatchObject([{ ended: [TURN], released: [] }]);
  });

  it('brings their warnings into its record', async () => {
    const house = new House(...done);
    house.settle = async () => ['80 % of the budget is used.'];
    house.grants.follow([turnEnded(TURN)]);
    await expect.poll(() => house.applied.length).toBe(1);
    expect(house.applied).toMatchObject([
      { change: { events: [{ code: 'shared_budget_warning', level: 'warning' }] } },
    ]);
  });

  it('is nobody’s trouble when the budgets cannot be told: they ask for it themselves', async () => {
    const house = new House(...done);
    house.settle = () => Promise.reject(new Error('reset'));
    house.grants.follow([turnEnded(TURN)]);
    await expect.poll(() => house.faults.length).toBe(1);
    expect(house.applied).toEqual([]);
  });
});
