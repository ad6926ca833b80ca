import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { actId, commandId, launchId, LOCAL_ACTOR, runnerId } from '../../../protocol/ids.ts';
import { decideOverride } from '../../../workers/relay/breach-decisions.ts';
import { decideRequest, type Maker } from '../../../workers/relay/feed-decisions.ts';
import { baseOfCommand, makeResume } from '../../../workers/relay/make-command.ts';
import type { RecordState } from '../../../workers/relay/session-record.ts';
import { breachFound, halted, overridden } from '../../support/breach-builders.ts';
import { created, SESSION, TURN, viewAfter } from '../../support/protocol-builders.ts';
import { readyEvents, turnEnded } from '../support/sessions.ts';

const MAKER: Maker = {
  sessionId: SESSION,
  nowMs: 1_000,
  commandId: () => commandId.parse('cmd_1'),
  launchId: () => launchId.parse('lau_2'),
};
const WORD = { actId: 'act_1', reason: 'reverted', actorId: LOCAL_ACTOR, channel: 'cli' };
const OTHER = breachFound({ actId: actId.parse('act_2') });

function halting(...events: FeedEvent[]): RecordState {
  const facts = {
    runnerId: runnerId.parse('run_1'),
    actorId: LOCAL_ACTOR,
    epoch: 3,
    seqUpTo: 0,
    lastPosition: 0,
    projectedUpTo: 0,
  };
  const accepted: FeedEvent = {
    type: 'turn/accepted',
    turnId: TURN,
    text: 'go',
    actorId: LOCAL_ACTOR,
  };
  const before = [created(), accepted, ...readyEvents(TURN), turnEnded(TURN)] as const;
  return { facts, view: viewAfter(...before, breachFound(), ...events) };
}

describe('a person’s word for a breach', () => {
  it('is put on record, and with the last one the session goes on', () => {
    expect(decideOverride(halting(halted), WORD, [], MAKER)).toMatchObject({
      kind: 'change',
      change: {
        events: [{ type: 'breach/overridden', actId: 'act_1', reason: 'reverted' }],
        commands: [{ method: 'session/resume', epoch: 3 }],
      },
    });
  });

  it('lets nothing go on while another breach is open', () => {
    const decision = decideOverride(halting(OTHER, halted), WORD, [], MAKER);
    expect(decision).toMatchObject({ kind: 'change', change: { commands: [] } });
  });

  it('said again changes nothing, unless its command did not arrive', () => {
    const state = halting(halted, overridden());
    const command = makeResume(baseOfCommand(MAKER, 3));
    const underway = [{ command, taken: true, attempts: 1, nextAt: 0 }];
    expect(decideOverride(state, WORD, underway, MAKER)).toEqual({ kind: 'unchanged' });
    expect(decideOverride(state, WORD, [], MAKER)).toMatchObject({
      change: { events: [], commands: [{ method: 'session/resume' }] },
    });
    const going = halting(halted, overridden(), { type: 'session/resumed' });
    expect(decideOverride(going, WORD, [], MAKER)).toEqual({ kind: 'unchanged' });
  });

  it('is refused for what is no breach of this session', () => {
    expect(decideOverride(halting(), { ...WORD, actId: 'act_9' }, [], MAKER)).toEqual({
      kind: 'refused',
      code: 'breach_not_found',
    });
  });

  it('comes before a retry, however the session ended', () => {
    const retry = (...events: FeedEvent[]) =>
      decideRequest(halting(...events), { action: 'retry', actorId: LOCAL_ACTOR }, MAKER);
    const stopped: FeedEvent = { type: 'session/ended', end: 'stopped', reason: 'x' };
    expect(retry(halted, stopped)).toEqual({ kind: 'refused', code: 'breach_open' });
    expect(retry(halted, stopped, overridden())).toMatchObject({ kind: 'change' });
  });
});
