import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { commandId, launchId, LOCAL_ACTOR, runnerId } from '../../../protocol/ids.ts';
import type { MachineFacts } from '../../../protocol/machine.ts';
import type { FeedDecision, Maker } from '../../../workers/relay/feed-decisions.ts';
import type { RecordState } from '../../../workers/relay/session-record.ts';
import { decideRelease, decideTakeover } from '../../../workers/relay/takeover-decisions.ts';
import {
  aLaunch,
  created,
  OTHER_TURN,
  SESSION,
  TURN,
  viewAfter,
} from '../../support/protocol-builders.ts';
import { readyEvents } from '../support/sessions.ts';

const ENGINE = aLaunch().engineId;
const machineWith = (keys?: boolean) =>
  ({ engines: [{ engineId: ENGINE, keys }] }) as unknown as MachineFacts;
const began = (form: 'keys' | 'text'): FeedEvent => ({
  type: 'takeover/began',
  form,
  actorId: LOCAL_ACTOR,
  channel: 'cli',
  epoch: 2,
});
const maker: Maker = {
  sessionId: SESSION,
  nowMs: 1_000,
  commandId: () => commandId.parse('cmd_1'),
  launchId: () => launchId.parse('lau_new'),
};
const stateAfter = (...events: FeedEvent[]): RecordState => ({
  facts: {
    runnerId: runnerId.parse('run_1'),
    actorId: LOCAL_ACTOR,
    epoch: 4,
    seqUpTo: 0,
    lastPosition: 0,
    projectedUpTo: 0,
  },
  view: viewAfter(created(), ...readyEvents(TURN), ...events),
});
const takeOver = (state: RecordState, over: object = {}, machine = machineWith(true)) =>
  decideTakeover(
    state,
    {
      form: 'keys',
      size: { columns: 80, rows: 24 },
      force: false,
      actorId: LOCAL_ACTOR,
      channel: 'console',
      ...over,
    },
    { machine, turnId: OTHER_TURN },
    maker,
  );
const release = (state: RecordState, held: number | null, force = false) =>
  decideRelease(state, { force, actorId: LOCAL_ACTOR, channel: 'cli' }, held, maker);
const methodsOf = (decision: FeedDecision) =>
  decision.kind === 'change' ? decision.change.commands.map(({ method }) => method) : decision;

describe('a takeover', () => {
  it('is a lease under an epoch of its own, under which the terminal is asked for', () => {
    expect(takeOver(stateAfter())).toMatchObject({
      change: {
        epoch: 5,
        keepsEarlier: true,
        events: [{ type: 'takeover/began', form: 'keys', epoch: 5 }],
        commands: [{ method: 'session/takeover', epoch: 5, params: { turnId: OTHER_TURN } }],
      },
    });
  });

  it('with keys is refused where the machine does not say that the engine has a terminal', () => {
    const refused = { kind: 'refused', code: 'keys_unsupported' };
    expect(takeOver(stateAfter(), {}, machineWith(false))).toEqual(refused);
    expect(takeOver(stateAfter(), {}, machineWith())).toEqual(refused);
    expect(methodsOf(takeOver(stateAfter(), { form: 'text' }, machineWith(false)))).toEqual([]);
  });

  it('is refused while somebody drives, unless it is meant', () => {
    const state = stateAfter(began('keys'));
    expect(takeOver(state)).toEqual({ kind: 'refused', code: 'taken_over' });
    expect(methodsOf(takeOver(state, { force: true }))).toEqual(['session/takeover']);
    expect(methodsOf(takeOver(state, { force: true, form: 'text' }))).toEqual(['session/release']);
  });
});

describe('handing back', () => {
  it('is for whoever drives, and for anybody who says that it is meant', () => {
    const state = stateAfter(began('keys'));
    expect(methodsOf(release(state, 2))).toEqual(['session/release']);
    expect(release(state, null)).toEqual({ kind: 'refused', code: 'taken_over' });
    expect(release(state, 1)).toEqual({ kind: 'refused', code: 'taken_over' });
    expect(methodsOf(release(state, null, true))).toEqual(['session/release']);
  });

  it('closes no terminal where there is none', () => {
    expect(methodsOf(release(stateAfter(began('text')), 2))).toEqual([]);
    expect(release(stateAfter(), 2)).toEqual({ kind: 'refused', code: 'not_taken_over' });
  });
});
