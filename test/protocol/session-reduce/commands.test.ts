import { describe, expect, it } from 'vitest';
import {
  REQUEST,
  accepted,
  approvalDecided,
  approvalRequested,
  commandFailed,
  delivered,
  exited,
  launchFailed,
  requested,
  staged,
  started,
  turnEnded,
  working,
} from '../../support/feed-events.ts';
import { OTHER_TURN, TURN, viewAfter } from '../../support/protocol-builders.ts';

describe('a conversation that is to be begun anew', () => {
  const compact = requested('compact');
  const refused = commandFailed({ method: 'session/compact', code: 'session_busy' });

  it('is as long as before where that fails, and as short as an earlier request made it', () => {
    expect(viewAfter(accepted(), compact).compactedAt).toBe(2);
    expect(viewAfter(accepted(), compact, refused).compactedAt).toBeNull();
    expect(viewAfter(accepted(), compact, compact, refused).compactedAt).toBe(2);
    expect(viewAfter(accepted(), compact, compact, refused, compact, refused).compactedAt).toBe(2);
    expect(viewAfter(accepted(), compact, refused, compact, refused).compactedAt).toBeNull();
  });
});

describe('a restart that was asked for', () => {
  it('is over once the process is gone, also where it was about to end in any case', () => {
    const asked = [...working(), requested('restart')];
    expect(viewAfter(...asked).restartAskedAt).toEqual(expect.any(Number));
    expect(viewAfter(...asked, turnEnded(), exited()).restartAskedAt).toBeNull();
  });
});

describe('a failed launch command', () => {
  const start = () =>
    commandFailed({ method: 'session/start', message: 'The machine is offline.' });

  it('fails the launch, with its own reason and the time that it took', () => {
    const view = viewAfter(accepted(), start());
    expect(view).toMatchObject({
      state: 'failed_to_start',
      reason: 'The machine is offline.',
      failure: {
        error: { code: 'unknown', message: 'The machine is offline.' },
        stage: 'queued',
        elapsedMs: 2,
        stderrTail: [],
      },
    });
  });

  it('leaves its first instruction undelivered, with the same reason', () => {
    expect(viewAfter(accepted(), start()).turns).toMatchObject([
      { delivery: 'undelivered', deliveryReason: 'The machine is offline.' },
    ]);
  });

  it('gives way to what the runner itself says of the launch', () => {
    const view = viewAfter(accepted(), start(), launchFailed());
    expect(view).toMatchObject({ state: 'provider_failed', reason: 'Not logged in.' });
  });

  it('does not replace what the runner has said before', () => {
    const view = viewAfter(accepted(), launchFailed(), start());
    expect(view).toMatchObject({ state: 'provider_failed', reason: 'Not logged in.' });
    expect(view.failure?.error.code).toBe('auth_missing');
  });

  it('does not fail a session whose process is there', () => {
    expect(viewAfter(accepted(), staged('spawned'), start())).toMatchObject({
      state: 'spawned',
      failure: null,
    });
  });

  it('counts its time from the moment of the last attempt', () => {
    const view = viewAfter(launchFailed(), requested('retry'), start());
    expect(view.failure?.elapsedMs).toBe(1);
  });

  it('without an instruction fails the launch all the same', () => {
    const view = viewAfter(commandFailed({ method: 'session/start', turnId: null }));
    expect(view).toMatchObject({ state: 'failed_to_start', turns: [] });
  });
});

describe('a failed instruction', () => {
  it('that reached no engine is undelivered', () => {
    const view = viewAfter(
      ...working(),
      turnEnded(),
      accepted(OTHER_TURN),
      commandFailed({ turnId: OTHER_TURN }),
    );
    expect(view.turns.at(-1)).toMatchObject({
      state: 'accepted',
      delivery: 'undelivered',
      deliveryReason: 'It waited too long.',
    });
  });

  it('that was received by the runner and no further is undelivered', () => {
    const view = viewAfter(accepted(), delivered('received'), commandFailed());
    expect(view.turns).toMatchObject([{ delivery: 'undelivered' }]);
  });

  it('that was handed over may have been carried out: nobody can tell', () => {
    const view = viewAfter(accepted(), delivered('handed'), commandFailed());
    expect(view.turns).toMatchObject([{ delivery: 'unknown' }]);
  });

  it('whose outcome the machine cannot tell is unknown, not undelivered', () => {
    const view = viewAfter(accepted(), commandFailed({ code: 'unknown_outcome' }));
    expect(view.turns).toMatchObject([{ delivery: 'unknown' }]);
  });

  it('that the engine has confirmed is not lost', () => {
    const view = viewAfter(accepted(), delivered('confirmed'), commandFailed());
    expect(view.turns).toMatchObject([{ delivery: 'confirmed', deliveryReason: null }]);
  });

  it('whose turn has begun is not lost', () => {
    const view = viewAfter(...working(), commandFailed());
    expect(view.turns).toMatchObject([{ state: 'started', delivery: null }]);
  });

  it('whose turn has ended is not lost', () => {
    const view = viewAfter(...working(), turnEnded(), commandFailed());
    expect(view.turns).toMatchObject([{ state: 'ended', delivery: null, outcome: 'ok' }]);
  });

  it('of another turn leaves this one as it is', () => {
    const view = viewAfter(accepted(), commandFailed({ turnId: OTHER_TURN }));
    expect(view.turns).toMatchObject([{ turnId: TURN, delivery: null }]);
  });

  it('does not fail the session', () => {
    expect(viewAfter(...working(), commandFailed()).state).toBe('working');
  });
});

describe('another failed command', () => {
  it.each(['session/interrupt', 'session/stop', 'tool/output', 'something/newer'])(
    '(%s) changes nothing in the view',
    (method) => {
      const before = viewAfter(...working());
      const after = viewAfter(...working(), commandFailed({ method, turnId: null }));
      expect(after).toEqual({ ...before, updatedAt: after.updatedAt });
    },
  );

  it('while the session is queued does not fail its launch', () => {
    expect(viewAfter(commandFailed({ method: 'session/stop', turnId: null })).state).toBe('queued');
  });

  it('that names no request takes no answer back', () => {
    const view = viewAfter(
      ...working(),
      approvalRequested(),
      approvalDecided(),
      commandFailed({ method: 'session/interrupt', turnId: null }),
    );
    expect(view.answeredRequestIds).toEqual([REQUEST]);
  });
});

describe('an instruction that was undelivered', () => {
  it('runs after all when it is launched again', () => {
    const view = viewAfter(
      accepted(),
      commandFailed({ method: 'session/start' }),
      requested('retry'),
      staged('spawned'),
      delivered('handed'),
      staged('bootstrap_submitted'),
      delivered('confirmed'),
      started(),
    );
    expect(view).toMatchObject({ state: 'working', openTurnId: TURN });
    expect(view.turns).toMatchObject([
      { state: 'started', delivery: 'confirmed', deliveryReason: null },
    ]);
  });
});
