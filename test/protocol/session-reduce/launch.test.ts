import { describe, expect, it } from 'vitest';
import {
  LAUNCH,
  RELAUNCH,
  accepted,
  approvalDecided,
  approvalRequested,
  delivered,
  exited,
  halted,
  launchFailed,
  parked,
  ready,
  requested,
  sessionEnded,
  staged,
  started,
  turnEnded,
  working,
} from '../../support/feed-events.ts';
import { TURN, created, viewAfter } from '../../support/protocol-builders.ts';

describe('a session that was just asked for', () => {
  it('is queued, with nothing known but what was asked', () => {
    expect(viewAfter()).toMatchObject({
      state: 'queued',
      stages: { queued: 0 },
      launchId: null,
      engine: null,
      checkout: null,
      failure: null,
      turns: [],
      spend: {},
      acts: 0,
    });
  });

  it('is not created again by a second telling', () => {
    const before = viewAfter(...working());
    const after = viewAfter(...working(), created({ objective: 'Something else' }));
    expect(after).toEqual({ ...before, updatedAt: after.updatedAt });
  });
});

describe('the stages of a launch', () => {
  it('are each kept with the time at which they were reached', () => {
    const view = viewAfter(staged('spawned'), staged('bootstrap_submitted'), ready());
    expect(view.stages).toEqual({
      queued: 0,
      spawned: 1,
      bootstrap_submitted: 2,
      bootstrap_confirmed: 3,
    });
  });

  it('belong to one launch: those of an earlier one are forgotten', () => {
    const view = viewAfter(
      staged('spawned'),
      staged('bootstrap_submitted'),
      ready(),
      parked(),
      staged('spawned', { launchId: RELAUNCH }),
    );
    expect(view).toMatchObject({ launchId: RELAUNCH, state: 'spawned' });
    expect(view.stages).toEqual({ queued: 0, spawned: 5 });
  });

  it('take the failure of an earlier attempt off the page', () => {
    const view = viewAfter(launchFailed(), staged('spawned', { launchId: RELAUNCH }));
    expect(view).toMatchObject({ state: 'spawned', failure: null, reason: null });
  });

  it('do not take a working session back to its launch', () => {
    expect(viewAfter(...working(), staged('bootstrap_submitted')).state).toBe('working');
  });
});

describe('an engine that is ready', () => {
  it('names its conversation, its version, its model and who pays', () => {
    expect(viewAfter(staged('spawned'), ready()).engine).toEqual({
      engineSessionId: 'conversation-1',
      version: '2.1.332',
      model: 'claude-opus-5-5',
      payer: 'api-key',
      credential: 'ANTHROPIC_API_KEY',
    });
  });

  it('before its handshake was recorded is ready all the same', () => {
    expect(viewAfter(staged('spawned'), ready()).state).toBe('idle');
  });

  it('while a turn is open is at work', () => {
    const view = viewAfter(staged('spawned'), staged('bootstrap_submitted'), started(), ready());
    expect(view).toMatchObject({ state: 'working', openTurnId: TURN });
  });

  it('and says so again keeps the time at which it was first confirmed', () => {
    const view = viewAfter(staged('spawned'), ready(), ready({ model: 'claude-sonnet-5' }));
    expect(view.stages.bootstrap_confirmed).toBe(2);
    expect(view.engine?.model).toBe('claude-sonnet-5');
  });

  it('and says so in mid-turn does not end the turn', () => {
    expect(viewAfter(...working(), ready({ model: 'other' }))).toMatchObject({
      state: 'working',
      openTurnId: TURN,
    });
  });

  it('without a process that was ever started is not believed', () => {
    expect(viewAfter(ready()).state).toBe('queued');
  });

  it('after the session was stopped brings nothing back to life', () => {
    expect(viewAfter(staged('spawned'), sessionEnded(), ready()).state).toBe('stopped');
  });
});

describe('a launch that failed', () => {
  it.each(['failed_to_start', 'bootstrap_stalled', 'provider_failed'] as const)(
    'as %s shows the engine’s reason as the session’s',
    (state) => {
      const view = viewAfter(staged('spawned'), launchFailed({ state }));
      expect(view).toMatchObject({ state, reason: 'Not logged in.' });
      expect(view.failure?.error).toEqual({ code: 'auth_missing', message: 'Not logged in.' });
    },
  );

  it('leaves no turn open and no approval pending', () => {
    const view = viewAfter(...working(), approvalRequested(), launchFailed());
    expect(view).toMatchObject({ openTurnId: null, pendingApprovals: [] });
  });

  it('keeps the instruction that waited for it', () => {
    expect(viewAfter(accepted(), launchFailed()).turns).toMatchObject([
      { turnId: TURN, state: 'accepted' },
    ]);
  });

  it('after the engine has worked cannot be a launch that stalled', () => {
    expect(viewAfter(...working(), launchFailed({ state: 'bootstrap_stalled' })).state).toBe(
      'working',
    );
  });

  it('can be told more exactly by a second word', () => {
    const view = viewAfter(
      launchFailed({ state: 'failed_to_start', error: { code: 'unknown', message: 'no' } }),
      launchFailed({ state: 'provider_failed' }),
    );
    expect(view).toMatchObject({ state: 'provider_failed', reason: 'Not logged in.' });
  });
});

describe('asking to launch again', () => {
  it.each([
    ['a failed launch', [launchFailed()]],
    ['a stopped session', [staged('spawned'), sessionEnded('stopped')]],
    ['a finished session', [...working(), turnEnded(), sessionEnded('finished')]],
    ['a lost session', [...working(), sessionEnded('lost')]],
    ['a halted session', [...working(), turnEnded(), halted()]],
  ])('%s queues it, its earlier reason gone', (_what, events) => {
    expect(viewAfter(...events, requested('retry'))).toMatchObject({
      state: 'queued',
      reason: null,
      failure: null,
    });
  });

  it('hands over anew what came back: it is not undelivered any more', () => {
    const back = delivered('undelivered', TURN, 'Slow down.');
    const [turn] = viewAfter(accepted(), launchFailed(), back, requested('retry')).turns;
    expect(turn).toMatchObject({ delivery: null, deliveryReason: null });
    const [once] = viewAfter(accepted(), back, accepted()).turns;
    expect(once).toMatchObject({ delivery: null, deliveryReason: null });
    const unknown = delivered('unknown', TURN, 'Ended.');
    const [lost] = viewAfter(accepted(), unknown, launchFailed(), requested('retry')).turns;
    expect(lost).toMatchObject({ delivery: 'unknown', deliveryReason: 'Ended.' });
  });

  it('starts its clock anew', () => {
    const view = viewAfter(launchFailed(), requested('retry'));
    expect(view.stages).toEqual({ queued: 2 });
    expect(view.stateAt).toBe(2);
  });

  it('keeps what the conversation has cost and done', () => {
    const view = viewAfter(...working(), turnEnded(), sessionEnded(), requested('retry'));
    expect(view.turns).toHaveLength(1);
    expect(view.engine?.engineSessionId).toBe('conversation-1');
  });

  it('does not disturb a session at work', () => {
    expect(viewAfter(...working(), requested('retry')).state).toBe('working');
  });

  it.each(['interrupt', 'stop'] as const)(
    'is not what %s does: the engine’s word decides',
    (action) => {
      expect(viewAfter(...working(), requested(action)).state).toBe('working');
    },
  );
});

describe('an engine whose process is gone', () => {
  it('is told by what follows, not by its exit', () => {
    expect(viewAfter(...working(), turnEnded(), exited()).state).toBe('idle');
  });

  it.each(['idle', 'spool_full', 'runner_restarted', 'no_output'] as const)(
    'to be resumed (%s) rests without an open turn',
    (reason) => {
      const view = viewAfter(...working(), approvalRequested(), parked(reason));
      expect(view).toMatchObject({ state: 'parked', openTurnId: null, pendingApprovals: [] });
    },
  );

  it('is resumed under a launch of its own', () => {
    const resumed = viewAfter(
      ...working(),
      turnEnded(),
      parked(),
      staged('spawned', { launchId: RELAUNCH }),
      staged('bootstrap_submitted', { launchId: RELAUNCH }),
      ready({ launchId: RELAUNCH }),
    );
    expect(resumed).toMatchObject({ state: 'idle', launchId: RELAUNCH });
  });

  it('and whose resumption fails says so', () => {
    const view = viewAfter(
      ...working(),
      turnEnded(),
      parked(),
      launchFailed({ launchId: RELAUNCH }),
    );
    expect(view.state).toBe('provider_failed');
  });
});

describe('a session that is over', () => {
  it.each(['finished', 'stopped', 'failed', 'lost'] as const)('as %s says why', (end) => {
    const view = viewAfter(...working(), sessionEnded(end));
    expect(view).toMatchObject({ state: end, reason: `it ${end}`, openTurnId: null });
  });

  it('waits for nobody', () => {
    const view = viewAfter(...working(), approvalRequested(), approvalDecided(), sessionEnded());
    expect(view).toMatchObject({ pendingApprovals: [], answeredRequestIds: [] });
  });

  it('is not parked by an engine that ends after it', () => {
    expect(viewAfter(...working(), sessionEnded(), exited(), parked()).state).toBe('stopped');
  });

  it('cannot be halted any more', () => {
    expect(viewAfter(...working(), sessionEnded(), halted()).state).toBe('stopped');
  });
});

describe('a halt', () => {
  it.each(['budget', 'missing_records', 'unpriced_model'] as const)('for %s says why', (reason) => {
    const view = viewAfter(...working(), turnEnded(), halted(reason));
    expect(view).toMatchObject({ state: 'halted', reason: `halted: ${reason}` });
  });

  it('is not lifted by a turn that the engine still ends', () => {
    const view = viewAfter(...working(), halted(), turnEnded());
    expect(view).toMatchObject({ state: 'halted', openTurnId: null });
  });

  it('is not lifted by an engine that says once more that it is ready', () => {
    expect(viewAfter(...working(), turnEnded(), halted(), ready({ model: 'x' })).state).toBe(
      'halted',
    );
  });

  it('can be ended by a stop', () => {
    expect(viewAfter(...working(), turnEnded(), halted(), sessionEnded()).state).toBe('stopped');
  });

  it('knows the launch that it halted', () => {
    expect(viewAfter(...working(), turnEnded(), halted()).launchId).toBe(LAUNCH);
  });
});
