import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandSchema, type Command, type CommandResult } from '../../../protocol/command.ts';
import { feedEvent, type FeedEvent } from '../../../protocol/engine-event.ts';
import { errorCode } from '../../../protocol/errors.ts';
import {
  commandId,
  launchId,
  LOCAL_ACTOR,
  requestId,
  runnerId,
  turnId,
} from '../../../protocol/ids.ts';
import { can, SESSION_STATES } from '../../../protocol/session.ts';
import {
  decideAnswering,
  decideCreate,
  decideInstruct,
  decideRequest,
  decideResult,
  type FeedDecision,
  type Maker,
} from '../../../workers/relay/feed-decisions.ts';
import {
  listUndelivered,
  makeAnswer,
  makeInstruct,
  makeInterrupt,
  makeStart,
  makeStop,
  turnOf,
  VALID_FOR_MS,
} from '../../../workers/relay/make-command.ts';
import type { RecordState } from '../../../workers/relay/session-record.ts';
import { aLaunch, created, SESSION, TURN, viewAfter } from '../../support/protocol-builders.ts';
import { accepted, ended, ready, started } from '../../support/transcript-events.ts';

const NOW = 5_000;
const REQUEST = requestId.parse('apr_1');
const ANSWER = { decision: 'allow' as const, message: null, answers: null, suggestion: null };

function counting(): Maker {
  let made = 0;
  return {
    sessionId: SESSION,
    nowMs: NOW,
    commandId: () => commandId.parse(`cmd_${++made}`),
    launchId: () => launchId.parse(`lau_${++made}`),
  };
}
const stateOf = (view: RecordState['view'], epoch = 3): RecordState => ({
  facts: {
    runnerId: runnerId.parse('run_1'),
    actorId: LOCAL_ACTOR,
    epoch,
    seqUpTo: 0,
    lastPosition: 0,
    projectedUpTo: 0,
  },
  view,
});
const commandsOf = (decision: FeedDecision): readonly Command[] =>
  decision.kind === 'change' ? decision.change.commands : [];
/** Why a decision refuses, or its kind. */
const codeIn = (decision: FeedDecision) =>
  decision.kind === 'refused' ? decision.code : decision.kind;
const BASE = { id: commandId.parse('cmd_1'), sessionId: SESSION, epoch: 2, nowMs: NOW };
const START = {
  launch: aLaunch(),
  launchId: launchId.parse('lau_1'),
  engineSessionId: null,
  firstTurn: { turnId: TURN, text: 'Go' },
};
const EVERY_COMMAND = {
  'session/start': makeStart(BASE, START),
  'session/instruct': makeInstruct(BASE, { turnId: TURN, text: 'Go' }),
  'session/answer': makeAnswer(BASE, { requestId: REQUEST, answer: ANSWER }),
  'session/interrupt': makeInterrupt(BASE),
  'session/stop': makeStop(BASE),
} as const;

describe.each(SESSION_STATES)('in the state %s', (state) => {
  const held = stateOf({ ...viewAfter(created(), accepted()), state });

  it.each(['interrupt', 'stop', 'retry'] as const)(
    '%s is decided as the table of permissions says',
    (action) => {
      const decision = decideRequest(held, { action, actorId: LOCAL_ACTOR }, counting());
      const permission = can(action, state);
      expect(codeIn(decision)).toBe(permission.allowed ? 'change' : permission.code);
    },
  );

  it('an instruction is decided as the table of permissions says', () => {
    const input = { turnId: turnId.parse('trn_new'), text: 'Next', actorId: LOCAL_ACTOR };
    const decision = decideInstruct(held, input, [], counting());
    const permission = can('instruct', state);
    expect(codeIn(decision)).toBe(permission.allowed ? 'change' : permission.code);
    expect(commandsOf(decision)).toHaveLength(permission.allowed ? 1 : 0);
  });

  it('whatever is decided is made of what the protocol knows', () => {
    for (const action of ['interrupt', 'stop', 'retry'] as const) {
      const decision = decideRequest(held, { action, actorId: LOCAL_ACTOR }, counting());
      for (const command of commandsOf(decision))
        expect(commandSchema.parse(command)).toEqual(command);
      const events = decision.kind === 'change' ? decision.change.events : [];
      for (const event of events) expect(feedEvent.parse(event)).toEqual(event);
    }
  });
});

describe('the epoch', () => {
  it('is one for a new session, and only a retry raises it', () => {
    const opened = { runnerId: runnerId.parse('run_1'), actorId: LOCAL_ACTOR, turnId: TURN };
    const made = decideCreate({ ...opened, launch: aLaunch() }, counting());
    expect(made.commands.map(({ epoch }) => epoch)).toEqual([1]);
    const view = viewAfter(created(), accepted());
    for (const action of ['interrupt', 'stop', 'retry'] as const) {
      const state = stateOf({ ...view, state: action === 'retry' ? 'failed' : 'working' }, 4);
      const decision = decideRequest(state, { action, actorId: LOCAL_ACTOR }, counting());
      const epochs = commandsOf(decision).map(({ epoch }) => epoch);
      expect({ action, epochs }).toEqual({ action, epochs: [action === 'retry' ? 5 : 4] });
    }
  });

  it('of every command that a retry makes is the same new one', () => {
    const waiting = ['a', 'b', 'c'].map((id) => accepted({ turnId: turnId.parse(`trn_${id}`) }));
    const view = { ...viewAfter(created(), ...waiting), state: 'failed' as const };
    const input = { action: 'retry' as const, actorId: LOCAL_ACTOR };
    const commands = commandsOf(decideRequest(stateOf(view), input, counting()));
    expect(commands.map(({ method, epoch }) => [method, epoch])).toEqual([
      ['session/start', 4],
      ['session/instruct', 4],
      ['session/instruct', 4],
    ]);
    expect(new Set(commands.map(({ id }) => id)).size).toBe(3);
  });
});

describe('what was never delivered', () => {
  const delivery = fc.constantFrom(
    null,
    'received',
    'handed',
    'confirmed',
    'unknown',
    'undelivered',
  );
  const turns = fc.array(fc.record({ delivery, begun: fc.boolean(), own: fc.boolean() }), {
    maxLength: 8,
  });

  it('is what no engine was handed and nothing began, in the order in which it was said', () => {
    fc.assert(
      fc.property(turns, (made) => {
        const ids = made.map((_, index) => turnId.parse(`trn_${index}`));
        const events = made.flatMap((turn, index): FeedEvent[] => {
          const id = ids[index] ?? TURN;
          return [
            ...(turn.own
              ? [started({ turnId: id })]
              : [accepted({ turnId: id, text: `say ${index}` })]),
            ...(turn.delivery
              ? [
                  {
                    type: 'turn/delivered' as const,
                    turnId: id,
                    delivery: turn.delivery as 'handed',
                    reason: null,
                  },
                ]
              : []),
            ...(turn.begun ? [started({ turnId: id }), ended({ turnId: id })] : []),
          ];
        });
        const expected = made.flatMap((turn, index) => {
          const open =
            turn.delivery === null || ['received', 'undelivered'].includes(turn.delivery);
          return open && !turn.begun && !turn.own ? [`say ${index}`] : [];
        });
        const left = listUndelivered(viewAfter(created(), ...events));
        expect(left.map(({ text }) => text)).toEqual(expected);
      }),
    );
  });
});

describe('an instruction that is sent many times', () => {
  it('is recorded once, however the repeats fall', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), (underways) => {
        const events: FeedEvent[] = [ready()];
        for (const underway of underways) {
          const input = { turnId: TURN, text: 'Go on', actorId: LOCAL_ACTOR };
          const held = stateOf(viewAfter(created(), ...events));
          const waiting = underway ? [EVERY_COMMAND['session/instruct']] : [];
          const decision = decideInstruct(held, input, waiting, counting());
          if (decision.kind === 'change') events.push(...decision.change.events);
        }
        expect(events.filter(({ type }) => type === 'turn/accepted')).toHaveLength(1);
      }),
    );
  });

  it('with other words is refused for ever', () => {
    const held = stateOf(viewAfter(created(), accepted({ text: 'Go on' }), ready()));
    for (const text of ['Go off', 'go on', 'Go on ', ''])
      expect(
        decideInstruct(held, { turnId: TURN, text, actorId: LOCAL_ACTOR }, [], counting()),
      ).toEqual({ kind: 'refused', code: 'turn_conflict' });
  });
});

describe.each(Object.entries(EVERY_COMMAND))('the command %s', (method, command) => {
  it('is one that a runner accepts', () => {
    expect(commandSchema.parse(command)).toEqual(command);
  });

  it('is worth carrying out for as long as its kind says', () => {
    expect(command.deadlineAt - NOW).toBe(VALID_FOR_MS[method as keyof typeof VALID_FOR_MS]);
  });

  it('that went well writes nothing, and is settled', () => {
    expect(decideResult(command, { ok: true, value: null })).toEqual({
      events: [],
      commands: [],
      settled: command.id,
    });
  });

  it.each(errorCode.options)(
    'that failed with %s is in the record, with its instruction',
    (code) => {
      const result: CommandResult = { ok: false, code, message: 'why' };
      const { events, settled, reopened } = decideResult(command, result);
      expect(settled).toBe(command.id);
      expect(events).toMatchObject([
        { type: 'command/failed', method, turnId: turnOf(command), code, message: 'why' },
      ]);
      const doubtful = code === 'unknown_outcome' || code === 'internal';
      expect(reopened).toBe(method === 'session/answer' && !doubtful ? REQUEST : undefined);
    },
  );
});

describe('an answer that is told', () => {
  it.each([
    [false, 1],
    [true, 0],
  ])('again (%j) writes %i entries and always one command', (repeat, entries) => {
    const held = stateOf(viewAfter(created(), accepted()));
    const input = { requestId: REQUEST, answer: ANSWER, actorId: LOCAL_ACTOR, channel: 'cli' };
    const { events, commands } = decideAnswering(held, input, repeat, counting());
    expect([events.length, commands.length]).toEqual([entries, 1]);
    expect(commands[0]).toMatchObject({ method: 'session/answer', epoch: 3 });
  });
});
