import { describe, expect, it } from 'vitest';
import { actId } from '../../../protocol/ids.ts';
import {
  accepted,
  actSeen,
  approvalRequested,
  broughtBack,
  checkoutPrepared,
  delivered,
  ready,
  staged,
  started,
  turnEnded,
  usageRecorded,
  working,
} from '../../support/feed-events.ts';
import { OTHER_TURN, TURN, aUsage, viewAfter } from '../../support/protocol-builders.ts';

describe('an instruction', () => {
  it('is a turn from the moment it is accepted, with its words and whose they are', () => {
    expect(viewAfter(accepted(TURN, 'mend the fence')).turns).toEqual([
      {
        turnId: TURN,
        origin: null,
        text: 'mend the fence',
        actorId: 'usr_local',
        state: 'accepted',
        delivery: null,
        deliveryReason: null,
        outcome: null,
        error: null,
        acceptedAt: 1,
        startedAt: null,
        endedAt: null,
        spend: {},
        acts: 0,
        briefed: null,
        usage: null,
        actsObserved: null,
        witnessed: null,
      },
    ]);
  });

  it('keeps its first words when its id comes again with others', () => {
    expect(viewAfter(accepted(TURN, 'one'), accepted(TURN, 'two')).turns).toMatchObject([
      { text: 'one' },
    ]);
  });

  it('stands behind those that were accepted before it', () => {
    const { turns } = viewAfter(accepted(), accepted(OTHER_TURN));
    expect(turns.map(({ turnId }) => turnId)).toEqual([TURN, OTHER_TURN]);
  });

  it('does not make a session that is launching look as if it worked', () => {
    expect(viewAfter(accepted(), staged('spawned')).state).toBe('spawned');
  });
});

describe('the delivery of an instruction', () => {
  it.each(['received', 'handed', 'confirmed', 'unknown', 'undelivered'] as const)(
    'is shown as %s, with the reason where there is one',
    (delivery) => {
      const view = viewAfter(accepted(), delivered(delivery, TURN, 'because'));
      expect(view.turns).toMatchObject([{ delivery, deliveryReason: 'because' }]);
    },
  );

  it('loses an old reason when it goes on', () => {
    const view = viewAfter(
      accepted(),
      delivered('undelivered', TURN, 'offline'),
      delivered('received'),
    );
    expect(view.turns).toMatchObject([{ delivery: 'received', deliveryReason: null }]);
  });

  it('of a turn that nobody knows makes no turn', () => {
    expect(viewAfter(delivered('handed')).turns).toEqual([]);
  });

  it('changes no other turn', () => {
    const view = viewAfter(accepted(), accepted(OTHER_TURN), delivered('handed', OTHER_TURN));
    expect(view.turns.map(({ delivery }) => delivery)).toEqual([null, 'handed']);
  });
});

describe('a turn at work', () => {
  it('began when the engine said so, not when it was accepted', () => {
    expect(viewAfter(accepted(), staged('spawned'), ready(), started()).turns).toMatchObject([
      { state: 'started', acceptedAt: 1, startedAt: 4, endedAt: null },
    ]);
  });

  it('of the engine’s own accord belongs to nobody', () => {
    const view = viewAfter(staged('spawned'), ready(), started(OTHER_TURN, 'engine'));
    expect(view.turns).toMatchObject([{ turnId: OTHER_TURN, text: null, actorId: null }]);
    expect(view).toMatchObject({ state: 'working', openTurnId: OTHER_TURN });
  });

  it('before the engine’s own word of readiness is work all the same', () => {
    const view = viewAfter(accepted(), staged('spawned'), staged('bootstrap_submitted'), started());
    expect(view.state).toBe('working');
  });
});

describe('the end of a turn', () => {
  it.each(['ok', 'failed', 'killed', 'interrupted', 'unknown'] as const)(
    'as %s leaves the session idle and the outcome on the turn',
    (outcome) => {
      const view = viewAfter(...working(), turnEnded(TURN, { outcome }));
      expect(view).toMatchObject({ state: 'idle', openTurnId: null });
      expect(view.turns).toMatchObject([{ state: 'ended', outcome, endedAt: 6 }]);
    },
  );

  it('keeps why it failed, in the engine’s words', () => {
    const error = { code: 'overloaded', message: 'The provider is overloaded.' } as const;
    const view = viewAfter(...working(), turnEnded(TURN, { outcome: 'failed', error }));
    expect(view.turns).toMatchObject([{ error }]);
  });

  it.each(['recorded', 'none', 'unobservable', 'unsettled'] as const)(
    'says how much of its cost is known: %s',
    (usage) => {
      expect(viewAfter(...working(), turnEnded(TURN, { usage })).turns).toMatchObject([{ usage }]);
    },
  );

  it('takes its approvals with it', () => {
    expect(viewAfter(...working(), approvalRequested(), turnEnded()).pendingApprovals).toEqual([]);
  });

  it('of an older turn leaves the open one its approvals', () => {
    const view = viewAfter(
      ...working(),
      started(OTHER_TURN, 'engine'),
      approvalRequested({ turnId: OTHER_TURN }),
      turnEnded(TURN),
    );
    expect(view).toMatchObject({ state: 'awaiting_approval', openTurnId: OTHER_TURN });
    expect(view.pendingApprovals).toHaveLength(1);
    expect(view.turns[0]?.state).toBe('ended');
  });

  it('that was never begun in the record still ends', () => {
    const view = viewAfter(accepted(), staged('spawned'), ready(), turnEnded());
    expect(view.turns).toMatchObject([{ state: 'ended', startedAt: null }]);
  });

  it('comes once for each of several turns in a row', () => {
    const view = viewAfter(
      ...working(),
      turnEnded(),
      accepted(OTHER_TURN),
      started(OTHER_TURN),
      turnEnded(OTHER_TURN, { outcome: 'failed' }),
    );
    expect(view.turns.map(({ outcome }) => outcome)).toEqual(['ok', 'failed']);
  });
});

describe('what a turn costs', () => {
  it('is added to what it had cost before, and to the session', () => {
    const view = viewAfter(
      ...working(),
      usageRecorded(TURN, [aUsage({ microUsd: 100 })]),
      usageRecorded(TURN, [aUsage({ microUsd: 20 })]),
    );
    expect(view.spend.reported).toMatchObject({ microUsd: 120, entries: 2 });
    expect(view.turns[0]?.spend).toEqual(view.spend);
  });

  it('is not charged to another turn', () => {
    const view = viewAfter(
      ...working(),
      turnEnded(),
      started(OTHER_TURN, 'engine'),
      usageRecorded(OTHER_TURN, [aUsage({ microUsd: 7 })]),
    );
    expect(view.turns.map(({ spend }) => spend.reported?.microUsd)).toEqual([undefined, 7]);
  });

  it.each([
    ['of no turn', null],
    ['of a turn that nobody knows', OTHER_TURN],
  ])('%s is the session’s all the same', (_whose, turnId) => {
    const view = viewAfter(...working(), usageRecorded(turnId, [aUsage({ microUsd: 5 })]));
    expect(view.spend.reported?.microUsd).toBe(5);
    expect(view.turns).toMatchObject([{ spend: {} }]);
  });

  it('is still added after the turn has ended', () => {
    const view = viewAfter(...working(), turnEnded(), usageRecorded());
    expect(view.turns[0]?.spend.reported?.entries).toBe(1);
  });

  it('without a price is counted as unpriced, in its own bucket', () => {
    const view = viewAfter(
      ...working(),
      usageRecorded(TURN, [aUsage({ provenance: 'unmetered', microUsd: null })]),
    );
    expect(view.spend).toEqual({
      unmetered: expect.objectContaining({ microUsd: 0, unpriced: 1, entries: 1 }),
    });
  });
});

describe('what a turn does', () => {
  it('is counted on the turn and on the session', () => {
    const view = viewAfter(...working(), actSeen(), actSeen(TURN, { actId: actId.parse('act_2') }));
    expect(view.acts).toBe(2);
    expect(view.turns).toMatchObject([{ acts: 2 }]);
  });

  it('outside of any turn is counted on the session alone', () => {
    const view = viewAfter(...working(), actSeen(null, { toolId: null, witness: 'git' }));
    expect(view.acts).toBe(1);
    expect(view.turns).toMatchObject([{ acts: 0 }]);
  });
});

describe('the checkout', () => {
  it('is known from the moment it is there', () => {
    expect(viewAfter(checkoutPrepared()).checkout).toEqual({
      mode: 'own',
      directory: '/home/dev/checkout',
      branch: 'pilothouse/fix',
      commit: 'a'.repeat(40),
      commits: 0,
      uncommittedFiles: 0,
    });
  });

  it('of a directory without git has neither branch nor commit', () => {
    const prepared = checkoutPrepared({ mode: 'inPlace', branch: null, baseCommit: null });
    expect(viewAfter(prepared).checkout).toMatchObject({ branch: null, commit: null });
  });

  it('shows after each turn what came of it', () => {
    expect(viewAfter(checkoutPrepared(), broughtBack()).checkout).toMatchObject({
      commit: 'b'.repeat(40),
      commits: 2,
      uncommittedFiles: 1,
    });
  });

  it('keeps its count of commits when it is found again', () => {
    const view = viewAfter(checkoutPrepared(), broughtBack(), checkoutPrepared());
    expect(view.checkout?.commits).toBe(2);
  });

  it('that was never prepared is not made up from what is brought back', () => {
    expect(viewAfter(broughtBack()).checkout).toBeNull();
  });
});
