import { describe, expect, it } from 'vitest';
import type { EventOf, FeedEvent } from '../../protocol/engine-event.ts';
import { LOCAL_ACTOR } from '../../protocol/ids.ts';
import { openView } from '../../protocol/session-reduce.ts';
import { reduceTakeover } from '../../protocol/takeover-reduce.ts';
import { fitSize, releaseRequest, takeoverRequest } from '../../protocol/takeover.ts';
import { created, SESSION, TURN } from '../support/protocol-builders.ts';

type Event = Parameters<typeof reduceTakeover>[1];

const began = (over: Partial<EventOf<'takeover/began'>> = {}): EventOf<'takeover/began'> => ({
  type: 'takeover/began',
  form: 'keys',
  actorId: LOCAL_ACTOR,
  channel: 'console',
  epoch: 1,
  ...over,
});
const closed = (reason: EventOf<'terminal/closed'>['reason']): EventOf<'terminal/closed'> => ({
  type: 'terminal/closed',
  turnId: TURN,
  reason,
  exitCode: null,
  message: null,
});
const opened: EventOf<'terminal/opened'> = {
  type: 'terminal/opened',
  turnId: TURN,
  columns: 80,
  rows: 24,
  reopened: false,
  process: { pid: 7, argv: ['engine'], directory: '/r' },
};

const first = created() as Extract<FeedEvent, { type: 'session/created' }>;
/** The view after takeover events alone; every state may be entered here. */
const after = (...events: Event[]) =>
  events.reduce(
    (view, event, index) =>
      reduceTakeover(view, event, index + 1, (held, state, at) => ({
        ...held,
        state,
        stateSince: at,
      })),
    openView(SESSION, 0, first),
  );

describe('a takeover', () => {
  it('is told with who took it, how, where and when', () => {
    expect(after(began({ form: 'text', channel: 'cli', epoch: 4 })).takeover).toEqual({
      form: 'text',
      actorId: LOCAL_ACTOR,
      channel: 'cli',
      epoch: 4,
      at: 1,
    });
  });

  it('goes over to whoever takes it from somebody else', () => {
    const { takeover } = after(began(), began({ channel: 'cli', epoch: 2 }));
    expect(takeover).toMatchObject({ channel: 'cli', epoch: 2, at: 2 });
  });

  it('is over when it is handed back, and the state is no matter of it', () => {
    const view = after(began(), {
      type: 'takeover/released',
      actorId: LOCAL_ACTOR,
      channel: 'cli',
      epoch: 1,
    });
    expect(view.takeover).toBeNull();
    expect(view.state).toBe('queued');
  });

  it('has the session while its terminal is open, and parks it afterwards', () => {
    expect(after(began(), opened)).toMatchObject({ state: 'taken_over', takeover: { epoch: 1 } });
    expect(after(began(), opened, closed('released'))).toMatchObject({
      state: 'parked',
      takeover: null,
    });
  });

  it('outlives a restart of the runner, which opens the terminal again', () => {
    expect(after(began(), opened, closed('runner_restarted'))).toMatchObject({
      state: 'parked',
      takeover: { epoch: 1 },
    });
    expect(after(opened, closed('runner_restarted')).takeover).toBeNull();
  });
});

describe('the size of a terminal', () => {
  it.each([
    [
      { columns: 80, rows: 24 },
      { columns: 80, rows: 24 },
    ],
    [
      { columns: 80.9, rows: 24.9 },
      { columns: 80, rows: 24 },
    ],
    [
      { columns: 0, rows: -4 },
      { columns: 2, rows: 2 },
    ],
    [
      { columns: 9_000, rows: 9_000 },
      { columns: 500, rows: 300 },
    ],
    [
      { columns: Number.NaN, rows: Number.POSITIVE_INFINITY },
      { columns: 2, rows: 2 },
    ],
  ])('of %o fits as %o, which a takeover may ask for', (asked, fitted) => {
    expect(fitSize(asked)).toEqual(fitted);
    expect(takeoverRequest.safeParse(fitted).success).toBe(true);
  });

  it('is the usual one where a request says none, by keys and without force', () => {
    expect(takeoverRequest.parse({})).toEqual({
      form: 'keys',
      columns: 100,
      rows: 30,
      force: false,
    });
  });

  it.each([{ columns: 1 }, { rows: 301 }, { columns: 80.5 }, { form: 'mouse' }])(
    'that no terminal has is refused: %o',
    (asked) => {
      expect(takeoverRequest.safeParse(asked).success).toBe(false);
    },
  );

  it('is no matter of handing back, which needs a whole key or none', () => {
    expect(releaseRequest.parse({})).toEqual({ key: null, force: false });
    expect(releaseRequest.safeParse({ key: 'short' }).success).toBe(false);
  });
});
