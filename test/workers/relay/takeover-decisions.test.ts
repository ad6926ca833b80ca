import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { commandId, launchId, LOCAL_ACTOR, runnerId, turnId } from '../../../protocol/ids.ts';
import { machineFacts, type MachineFacts } from '../../../protocol/machine.ts';
import { can, SESSION_STATES, type SessionState } from '../../../protocol/session.ts';
import type { TakeoverForm } from '../../../protocol/takeover.ts';
import type { FeedChange, FeedDecision, Maker } from '../../../workers/relay/feed-decisions.ts';
import type { RecordState } from '../../../workers/relay/session-record.ts';
import {
  decideRelease,
  decideTakeover,
  drives,
} from '../../../workers/relay/takeover-decisions.ts';
import { created, SESSION, TURN, viewAfter } from '../../support/protocol-builders.ts';
import { readyEvents, turnEnded } from '../support/sessions.ts';
import { MACHINE } from '../support/peers.ts';

const EPOCH = 3;
const SIZE = { columns: 80, rows: 24 };
const DRIVEN = turnId.parse('trn_driven');
const MAKER: Maker = {
  sessionId: SESSION,
  nowMs: 1_000,
  commandId: () => commandId.parse('cmd_1'),
  launchId: () => launchId.parse('lau_2'),
};

const began = (form: TakeoverForm, epoch = EPOCH): FeedEvent => ({
  type: 'takeover/began',
  form,
  actorId: LOCAL_ACTOR,
  channel: 'cli',
  epoch,
});
/** A session whose first turn is over, and then what a test says. */
function idleThen(...events: FeedEvent[]): RecordState {
  const facts = {
    runnerId: runnerId.parse('run_1'),
    actorId: LOCAL_ACTOR,
    epoch: EPOCH,
    seqUpTo: 0,
    lastPosition: 0,
    projectedUpTo: 0,
  };
  const before: FeedEvent[] = [
    { type: 'turn/accepted', turnId: TURN, text: 'go', actorId: LOCAL_ACTOR },
    ...readyEvents(TURN),
    turnEnded(TURN),
  ];
  return { facts, view: viewAfter(created(), ...before, ...events) };
}
function inState(state: SessionState): RecordState {
  const idle = idleThen();
  return { ...idle, view: { ...idle.view, state } };
}
/** A machine on which the session's engine has a terminal, has none, or is not there. */
function machineWith(keys: boolean | undefined | null, keysIn?: string[]): MachineFacts {
  const engineId = idleThen().view.launch.engineId;
  const engine = {
    engineId,
    label: engineId,
    ready: true,
    version: null,
    payer: 'unknown',
    credential: null,
    approvals: ['ask'],
    problem: null,
    remedy: null,
  };
  return machineFacts.parse({
    ...MACHINE,
    engines: keys === null ? [] : [{ ...engine, keys, keysIn }],
  });
}
const take = (
  state: RecordState,
  form: TakeoverForm,
  over: { force?: boolean; machine?: MachineFacts | null } = {},
) =>
  decideTakeover(
    state,
    { form, size: SIZE, force: over.force ?? false, actorId: LOCAL_ACTOR, channel: 'console' },
    { machine: over.machine === undefined ? machineWith(true) : over.machine, turnId: DRIVEN },
    MAKER,
  );
const giveBack = (state: RecordState, held: number | null, force = false) =>
  decideRelease(state, { force, actorId: LOCAL_ACTOR, channel: 'cli' }, held, MAKER);
function changeOf(decision: FeedDecision): FeedChange {
  if (decision.kind !== 'change')
    throw new Error(`nothing is changed: ${JSON.stringify(decision)}`);
  return decision.change;
}
const refusal = (code: string) => ({ kind: 'refused', code });

describe('taking a session over', () => {
  it('with keys opens the terminal of the asked size, as a turn under a new epoch', () => {
    const { epoch, events, commands, keepsEarlier } = changeOf(take(idleThen(), 'keys'));
    expect(epoch).toBe(EPOCH + 1);
    expect(keepsEarlier).toBe(true);
    expect(events).toEqual([{ ...began('keys', EPOCH + 1), channel: 'console' }]);
    expect(commands).toMatchObject([
      {
        method: 'session/takeover',
        epoch: EPOCH + 1,
        deadlineAt: 61_000,
        params: { turnId: DRIVEN, size: SIZE },
      },
    ]);
  });

  it('with text tells the machine nothing: its terminal stays closed', () => {
    const { commands, epoch } = changeOf(take(idleThen(), 'text'));
    expect(commands).toEqual([]);
    expect(epoch).toBe(EPOCH + 1);
  });

  it.each([
    ['the engine has no terminal', machineWith(false)],
    ['it has one in other modes alone', machineWith(true, ['plan', 'bypass'])],
    ['the machine does not say so', machineWith(undefined)],
    ['the machine has no such engine', machineWith(null)],
    ['the machine never said anything', null],
  ])('with keys is refused where %s, and with text is not', (_name, machine) => {
    expect(take(idleThen(), 'keys', { machine })).toEqual(refusal('keys_unsupported'));
    expect(take(idleThen(), 'text', { machine }).kind).toBe('change');
  });

  it('is refused while somebody drives, unless it is meant', () => {
    for (const held of ['keys', 'text'] as const)
      for (const wanted of ['keys', 'text'] as const) {
        const state = idleThen(began(held));
        expect(take(state, wanted)).toEqual(refusal('taken_over'));
        expect(changeOf(take(state, wanted, { force: true })).epoch).toBe(EPOCH + 1);
      }
  });

  it('by force cannot give keys that the machine has not', () => {
    const state = idleThen(began('text'));
    const machine = machineWith(false);
    expect(take(state, 'keys', { force: true, machine })).toEqual(refusal('keys_unsupported'));
  });

  it.each([
    ['keys', 'text', ['session/release']],
    ['keys', 'keys', ['session/takeover']],
    ['text', 'keys', ['session/takeover']],
    ['text', 'text', []],
  ] as const)('from %s to %s asks of the machine %j', (held, wanted, methods) => {
    const { commands } = changeOf(take(idleThen(began(held)), wanted, { force: true }));
    expect(commands.map(({ method }) => method)).toEqual(methods);
    for (const command of commands) expect(command).toMatchObject({ epoch: EPOCH + 1 });
  });

  it('is refused by the one table that the button asks too, in every state', () => {
    let refused = 0;
    for (const state of SESSION_STATES) {
      const permission = can('takeover', state);
      const decision = take(inState(state), 'text', { force: true });
      if (permission.allowed) expect(decision.kind).toBe('change');
      else expect(decision).toEqual(refusal(permission.code));
      refused += permission.allowed ? 0 : 1;
    }
    expect(refused).toBeGreaterThan(2);
  });
});

describe('handing a session back', () => {
  it('is refused where nobody drives, whoever asks and however', () => {
    for (const force of [false, true])
      expect(giveBack(idleThen(), EPOCH, force)).toEqual(refusal('not_taken_over'));
  });

  it('is for whoever drives', () => {
    const state = idleThen(began('text'));
    expect(giveBack(state, null)).toEqual(refusal('taken_over'));
    expect(giveBack(state, EPOCH - 1)).toEqual(refusal('taken_over'));
    expect(giveBack(state, EPOCH).kind).toBe('change');
    expect(giveBack(state, null, true).kind).toBe('change');
  });

  it('tells which lease is over, and fences what its driver still sends', () => {
    const { events, epoch, keepsEarlier } = changeOf(giveBack(idleThen(began('keys')), EPOCH));
    expect(events).toEqual([
      { type: 'takeover/released', actorId: LOCAL_ACTOR, channel: 'cli', epoch: EPOCH },
    ]);
    expect(epoch).toBe(EPOCH + 1);
    expect(keepsEarlier).toBe(true);
  });

  it('closes a terminal, and where there is none asks nothing of the machine', () => {
    const methodsOf = (form: TakeoverForm) =>
      changeOf(giveBack(idleThen(began(form)), EPOCH)).commands.map(({ method }) => method);
    expect(methodsOf('keys')).toEqual(['session/release']);
    expect(methodsOf('text')).toEqual([]);
  });
});

describe('whoever holds an epoch', () => {
  it('drives under the newest lease alone, however often it changed hands', () => {
    const hands = fc.array(fc.constantFrom('keys' as const, 'text' as const), { minLength: 1 });
    fc.assert(
      fc.property(hands, (forms) => {
        const leases = forms.map((form, index) => began(form, index + 1));
        const { view } = idleThen(...leases);
        const driving = leases.filter((_, index) => drives(view, index + 1));
        expect(driving).toEqual(leases.slice(-1));
        expect(drives(view, null)).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  it('drives nothing once it was handed back', () => {
    const released: FeedEvent = {
      type: 'takeover/released',
      actorId: LOCAL_ACTOR,
      channel: 'cli',
      epoch: EPOCH,
    };
    const { view } = idleThen(began('text'), released);
    expect(drives(view, EPOCH)).toBe(false);
    expect(drives(view, null)).toBe(false);
  });
});
