import { describe, expect, it } from 'vitest';
import { approvalAnswer } from '../../../protocol/approval.ts';
import type { Command, CommandResult } from '../../../protocol/command.ts';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import type { SessionState } from '../../../protocol/session.ts';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import {
  commandId,
  launchId,
  LOCAL_ACTOR,
  requestId,
  runnerId,
  type TurnId,
} from '../../../protocol/ids.ts';
import {
  decideAnswering,
  decideCreate,
  decideInstruct,
  decideLost,
  decideRequest,
  decideResult,
  type FeedChange,
  type FeedDecision,
  type Maker,
} from '../../../workers/relay/feed-decisions.ts';
import {
  makeAnswer,
  makeInstruct,
  makeInterrupt,
  makeStart,
  makeStop,
  turnOf,
  VALID_FOR_MS,
} from '../../../workers/relay/make-command.ts';
import type { RecordState } from '../../../workers/relay/session-record.ts';
import {
  aLaunch,
  created,
  OTHER_TURN,
  SESSION,
  TURN,
  viewAfter,
} from '../../support/protocol-builders.ts';
import { LAUNCH, readyEvents, turnEnded } from '../support/sessions.ts';

const NOW = 1_000;
const ALLOW = approvalAnswer.parse({ decision: 'allow' });
const REQUEST = requestId.parse('apr_1');

/** Ids that count, so that a test can name them. */
function counting(): Maker {
  let made = 0;
  return {
    sessionId: SESSION,
    nowMs: NOW,
    commandId: () => commandId.parse(`cmd_${++made}`),
    launchId: () => launchId.parse(`lau_new${++made}`),
  };
}

function stateAfter(...events: FeedEvent[]): RecordState {
  const facts = {
    runnerId: runnerId.parse('run_1'),
    actorId: LOCAL_ACTOR,
    epoch: 3,
    seqUpTo: 0,
    lastPosition: 0,
    projectedUpTo: 0,
  };
  return { facts, view: viewAfter(created(), ...events) };
}

const accepted = (turnId: TurnId, text: string): FeedEvent => ({
  type: 'turn/accepted',
  turnId,
  text,
  actorId: LOCAL_ACTOR,
});
const delivered = (
  turnId: TurnId,
  delivery: 'received' | 'handed' | 'undelivered' | 'unknown',
): FeedEvent => ({ type: 'turn/delivered', turnId, delivery, reason: null });
const IDLE = [accepted(TURN, 'one'), ...readyEvents(TURN), turnEnded(TURN)];
const ENDED: FeedEvent = { type: 'session/ended', end: 'stopped', reason: 'asked' };

function changeOf(decision: FeedDecision): FeedChange {
  if (decision.kind !== 'change') throw new Error(`nothing is changed: ${decision.kind}`);
  return decision.change;
}

describe('a new session', () => {
  it('begins with its launch and its objective, and one start command', () => {
    const input = {
      runnerId: runnerId.parse('run_1'),
      actorId: LOCAL_ACTOR,
      launch: aLaunch(),
      turnId: TURN,
    };
    const { events, commands } = decideCreate(input, counting());
    expect(events.map(({ type }) => type)).toEqual(['session/created', 'turn/accepted']);
    expect(commands).toMatchObject([
      { method: 'session/start', epoch: 1, params: { firstTurn: { turnId: TURN } } },
    ]);
  });

  it('carries on the conversation that was begun by hand, again when it is retried', () => {
    const launch = aLaunch({ conversation: 'by-hand', checkout: 'inPlace' });
    const runner = runnerId.parse('run_1');
    const input = { runnerId: runner, actorId: LOCAL_ACTOR, launch, turnId: TURN };
    const { commands } = decideCreate(input, counting());
    expect(commands[0]?.params).toMatchObject({ engineSessionId: 'by-hand' });
  });
});

describe('an instruction', () => {
  const input = { turnId: OTHER_TURN, text: 'two', actorId: LOCAL_ACTOR };
  const instruct = (state: RecordState, underway: Command[] = []) =>
    decideInstruct(state, input, underway, counting());

  it('is recorded and sent under the present epoch', () => {
    expect(changeOf(instruct(stateAfter(...IDLE)))).toMatchObject({
      events: [{ type: 'turn/accepted', turnId: OTHER_TURN, text: 'two' }],
      commands: [{ method: 'session/instruct', epoch: 3 }],
    });
  });

  it('for the turn under way is sent as such, unless the machine says that its engine takes none', () => {
    const steer = (steers: boolean | null) =>
      decideInstruct(stateAfter(...IDLE), { ...input, steer: true, steers }, [], counting());
    expect(changeOf(steer(true)).commands[0]?.params).toMatchObject({ steer: true });
    expect(changeOf(steer(null)).commands[0]?.params).toMatchObject({ steer: true });
    expect(steer(false)).toEqual({ kind: 'refused', code: 'steer_unsupported' });
  });

  it('may come while the engine is still starting (D1)', () => {
    expect(instruct(stateAfter(accepted(TURN, 'one'))).kind).toBe('change');
  });

  it('that is known changes nothing', () => {
    const state = stateAfter(...IDLE, accepted(OTHER_TURN, 'two'));
    expect(instruct(state).kind).toBe('unchanged');
  });

  it('under the id of another is refused', () => {
    const state = stateAfter(...IDLE, accepted(OTHER_TURN, 'something else'));
    expect(instruct(state)).toEqual({ kind: 'refused', code: 'turn_conflict' });
  });

  it('that came back undelivered is sent again, and is not undelivered any more', () => {
    const state = stateAfter(
      ...IDLE,
      accepted(OTHER_TURN, 'two'),
      delivered(OTHER_TURN, 'undelivered'),
    );
    const { events, commands } = changeOf(instruct(state));
    expect(commands).toHaveLength(1);
    expect(events).toEqual([accepted(OTHER_TURN, 'two')]);
    const after = stateAfter(
      ...IDLE,
      accepted(OTHER_TURN, 'two'),
      delivered(OTHER_TURN, 'undelivered'),
      ...events,
    );
    // Its command may have its result long before the machine tells more: it is not sent once more.
    expect(instruct(after).kind).toBe('unchanged');
  });

  it('that is on its way is not sent a second time', () => {
    const state = stateAfter(
      ...IDLE,
      accepted(OTHER_TURN, 'two'),
      delivered(OTHER_TURN, 'undelivered'),
    );
    const base = { id: commandId.parse('cmd_x'), sessionId: SESSION, epoch: 3, nowMs: NOW };
    const underway = [makeInstruct(base, { turnId: OTHER_TURN, text: 'two' })];
    expect(instruct(state, underway).kind).toBe('unchanged');
  });

  it.each(['handed', 'unknown'] as const)(
    'whose delivery is %s is never sent again by itself',
    (delivery) => {
      const state = stateAfter(
        ...IDLE,
        accepted(OTHER_TURN, 'two'),
        delivered(OTHER_TURN, delivery),
      );
      expect(instruct(state).kind).toBe('unchanged');
    },
  );

  it('to a session that has ended is refused', () => {
    expect(instruct(stateAfter(...IDLE, ENDED))).toEqual({
      kind: 'refused',
      code: 'session_ended',
    });
  });
});

describe('a retry', () => {
  const retry = (state: RecordState) =>
    changeOf(decideRequest(state, { action: 'retry', actorId: LOCAL_ACTOR }, counting()));

  it('raises the epoch, so that whatever was asked before is stale', () => {
    const { epoch, commands } = retry(stateAfter(...IDLE, ENDED));
    expect([epoch, ...commands.map((command) => command.epoch)]).toEqual([4, 4]);
  });

  it('sends everything that was never handed over, oldest first', () => {
    const state = stateAfter(
      ...IDLE,
      accepted(OTHER_TURN, 'two'),
      delivered(OTHER_TURN, 'received'),
      accepted('trn_three' as TurnId, 'three'),
      ENDED,
    );
    const { commands } = retry(state);
    expect(commands.map((command) => [command.method, turnOf(command)])).toEqual([
      ['session/start', OTHER_TURN],
      ['session/instruct', 'trn_three'],
    ]);
  });

  it.each(['handed', 'unknown'] as const)(
    'never repeats an instruction that was %s',
    (delivery) => {
      const state = stateAfter(accepted(TURN, 'one'), delivered(TURN, delivery), ENDED);
      expect(retry(state).commands.map(turnOf)).toEqual([null]);
    },
  );

  it('carries on the conversation of the last engine that was ready', () => {
    const { commands } = retry(stateAfter(...IDLE, ENDED));
    expect(commands[0]?.params).toMatchObject({ engineSessionId: 'conversation-1' });
  });

  it('may what it might before where its scopes allow more by now, and nothing is told', () => {
    const wider = { policy: { ...DEFAULT_POLICY, mode: 'merge' as const }, sources: [] };
    const state = stateAfter(...IDLE, ENDED);
    const asked = { action: 'retry', actorId: LOCAL_ACTOR, policy: wider } as const;
    const { commands, events } = changeOf(decideRequest(state, asked, counting()));
    expect(commands[0]?.params).toMatchObject({ launch: { policy: state.view.launch.policy } });
    expect(events).toEqual([{ type: 'action/requested', action: 'retry', actorId: LOCAL_ACTOR }]);
  });

  it('may less where its scopes are stricter by now, on record and at the machine alike', () => {
    const strict = { policy: { ...DEFAULT_POLICY, mode: 'none' as const }, sources: [] };
    const asked = { action: 'retry', actorId: LOCAL_ACTOR, policy: strict } as const;
    const { commands, events } = changeOf(
      decideRequest(stateAfter(...IDLE, ENDED), asked, counting()),
    );
    expect(events).toMatchObject([{ action: 'retry', policy: { policy: { mode: 'none' } } }]);
    expect(commands[0]?.params).toMatchObject({ launch: { policy: { policy: { mode: 'none' } } } });
    const after = stateAfter(...IDLE, ENDED, ...events);
    expect(after.view.launch.policy?.policy.mode).toBe('none');
    expect(after.view.state).toBe('queued');
  });

  it('is a new launch', () => {
    const { commands } = retry(stateAfter(...IDLE, ENDED));
    expect(commands[0]?.params).not.toMatchObject({ launchId: LAUNCH });
  });

  it('of what is alive is refused, and so is an interrupt of what does not run', () => {
    const request = (action: 'retry' | 'interrupt') =>
      decideRequest(stateAfter(...IDLE), { action, actorId: LOCAL_ACTOR }, counting());
    expect([request('retry'), request('interrupt')]).toEqual([
      { kind: 'refused', code: 'nothing_to_retry' },
      { kind: 'refused', code: 'nothing_running' },
    ]);
  });
});

describe('a conversation that is to be begun anew after a turn', () => {
  const story = [{ turnId: TURN, asked: 'go', answer: '', acts: [], outcome: null }];
  const asked = (after: TurnId, ...events: FeedEvent[]) =>
    decideRequest(
      stateAfter(...IDLE, ...events),
      { action: 'compact', actorId: LOCAL_ACTOR, story, after },
      counting(),
    );
  const compacted = { type: 'action/requested', action: 'compact', actorId: LOCAL_ACTOR } as const;

  it('is so while that turn is the last one, and once', () => {
    expect(asked(TURN)).toMatchObject({
      kind: 'change',
      change: { commands: [{ method: 'session/compact' }] },
    });
    expect(asked(TURN, compacted)).toEqual({ kind: 'unchanged' });
  });

  it('is not where another turn came since', () => {
    expect(asked(OTHER_TURN)).toEqual({ kind: 'refused', code: 'session_busy' });
  });
});

describe('an answer that is wanted', () => {
  const input = { requestId: REQUEST, answer: ALLOW, actorId: LOCAL_ACTOR, channel: 'console' };

  it('is recorded once, and sent each time', () => {
    const first = decideAnswering(stateAfter(...IDLE), input, false, counting());
    const again = decideAnswering(stateAfter(...IDLE), input, true, counting());
    expect([first.events.length, first.commands.length]).toEqual([1, 1]);
    expect([again.events.length, again.commands.length]).toEqual([0, 1]);
  });
});

describe('the result of a command', () => {
  const base = { id: commandId.parse('cmd_9'), sessionId: SESSION, epoch: 3, nowMs: NOW };
  const failed = (code: string): CommandResult => ({ ok: false, code, message: 'no' });

  it('that went well only settles it: the events tell the rest', () => {
    const command = makeStop(base);
    expect(decideResult(command, { ok: true, value: null })).toEqual({
      events: [],
      commands: [],
      settled: command.id,
    });
  });

  it('that failed is recorded with the instruction that it concerns', () => {
    const command = makeInstruct(base, { turnId: TURN, text: 'x' });
    expect(decideResult(command, failed('expired')).events).toEqual([
      {
        type: 'command/failed',
        commandId: command.id,
        method: 'session/instruct',
        turnId: TURN,
        code: 'expired',
        message: 'no',
      },
    ]);
  });

  it('opens an approval again only when the answer certainly had no effect', () => {
    const command = makeAnswer(base, { requestId: REQUEST, answer: ALLOW });
    const reopened = (code: string) => decideResult(command, failed(code)).reopened;
    expect([reopened('expired'), reopened('stale_epoch')]).toEqual([REQUEST, REQUEST]);
    expect([reopened('unknown_outcome'), reopened('internal')]).toEqual([undefined, undefined]);
  });

  it('that finds a session unknown to its machine ends it as lost, unless it was over before', () => {
    const ends = (command: Command, state: SessionState) =>
      decideLost(command, failed('session_not_found'), state);
    expect(ends(makeStop(base), 'working')).toMatchObject([{ type: 'session/ended', end: 'lost' }]);
    expect(ends(makeStop(base), 'failed_to_start')).toEqual([]);
    expect(ends(makeInterrupt(base), 'working')).toEqual([]);
  });
});

describe('a command', () => {
  const base = { id: commandId.parse('cmd_9'), sessionId: SESSION, epoch: 3, nowMs: NOW };
  const start = { launch: aLaunch(), launchId: LAUNCH, engineSessionId: null, firstTurn: null };

  it.each([
    [makeStart(base, start), VALID_FOR_MS['session/start']],
    [makeInstruct(base, { turnId: TURN, text: 'x' }), VALID_FOR_MS['session/instruct']],
    [makeAnswer(base, { requestId: REQUEST, answer: ALLOW }), VALID_FOR_MS['session/answer']],
    [makeInterrupt(base), VALID_FOR_MS['session/interrupt']],
    [makeStop(base), VALID_FOR_MS['session/stop']],
  ])('is worth carrying out for as long as its kind is', (command, validFor) => {
    expect(command.deadlineAt).toBe(NOW + validFor);
  });

  it('to interrupt is not worth carrying out once another turn may run', () => {
    expect(VALID_FOR_MS['session/interrupt']).toBeLessThanOrEqual(60_000);
    expect(VALID_FOR_MS['session/instruct']).toBeGreaterThan(24 * 60 * 60_000);
  });

  it('names the instruction that it carries, if any', () => {
    expect(turnOf(makeStart(base, { ...start, firstTurn: { turnId: TURN, text: 'x' } }))).toBe(
      TURN,
    );
    expect([turnOf(makeStart(base, start)), turnOf(makeStop(base))]).toEqual([null, null]);
  });
});
