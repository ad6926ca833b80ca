import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../protocol/engine-event.ts';
import type { PilotStatus } from '../../protocol/pilot.ts';
import { SETTLE_MS, standingOf } from '../../protocol/run-standing.ts';
import {
  accepted,
  approvalRequested,
  checkoutPrepared,
  delivered,
  halted,
  launchFailed,
  parked,
  ready,
  sessionEnded,
  staged,
  started,
  turnEnded,
  working,
} from '../support/feed-events.ts';
import { OTHER_TURN, TURN } from '../support/protocol-builders.ts';
import { BEGAN, LATER, partsOf, witnessed } from '../support/run-builders.ts';

const stand = (
  events: readonly FeedEvent[],
  status: PilotStatus | null = null,
  nowMs = LATER,
  finishedAt: number | null = null,
) => standingOf(partsOf(events).view, status && { status, reason: 'so', finishedAt }, nowMs);
const ended = (over = {}) => [...working(), turnEnded(TURN, over)];

describe('how a run stands', () => {
  it.each<[string, FeedEvent[], string]>([
    ['one that was launched just now', [], 'starting'],
    ['one whose engine starts', [accepted(), staged('spawned')], 'starting'],
    ['one that failed to start', [launchFailed()], 'failed'],
    ['one that was stopped before a turn', [accepted(), sessionEnded('stopped')], 'failed'],
    ['one that ended without an instruction', [sessionEnded('stopped')], 'failed'],
    ['one at work', working(), 'working'],
    ['one that asks', [...working(), approvalRequested()], 'needs_person'],
    ['one that was halted', [...working(), halted()], 'failed'],
    ['one whose turn ended well', ended(), 'done'],
    ['one whose turn failed', ended({ outcome: 'failed' }), 'failed'],
    ['one whose engine rests', [...ended(), parked()], 'done'],
    ['one that was stopped at rest', [...ended(), sessionEnded('stopped')], 'done'],
    ['one that was stopped at work', [...working(), sessionEnded('stopped')], 'failed'],
    ['one that is lost', [...ended(), sessionEnded('lost')], 'failed'],
    ['one with more to do', [...ended(), accepted(OTHER_TURN)], 'working'],
    [
      'one whose last instruction is lost',
      [...ended(), accepted(OTHER_TURN), delivered('unknown', OTHER_TURN, 'gone')],
      'failed',
    ],
    ['one that was asked nothing', [staged('spawned'), ready()], 'needs_person'],
  ])('is told of %s', (_, events, standing) => {
    expect(stand(events)).toMatchObject({ standing });
    expect(stand(events).reason).toMatch(/\w.*$/);
  });

  it.each<[string, FeedEvent[], string]>([
    ['that the engine does not tell and nobody saw', ended({ acts: 'unobservable' }), 'unproven'],
    ['that were cut off', ended({ acts: 'unsettled' }), 'unproven'],
    [
      'that the engine does not tell and refs show',
      [...ended({ acts: 'unobservable' }), witnessed()],
      'done',
    ],
    ['that the engine says are none', ended({ acts: 'none' }), 'done'],
  ])('is done only with the acts: acts %s', (_, events, standing) => {
    expect(stand(events).standing).toBe(standing);
  });

  it('is not over before the refs are compared, as long as somebody may be at it', () => {
    const events = [...working(), checkoutPrepared(), turnEnded()];
    const endedAt = BEGAN + events.length * 1_000;
    expect(stand(events, null, endedAt + SETTLE_MS - 1).standing).toBe('working');
    expect(stand([...events, witnessed()], null, endedAt + 1).standing).toBe('done');
    expect(stand(events, null, endedAt + SETTLE_MS).standing).toBe('done');
  });

  it.each<[PilotStatus, string]>([
    ['deciding', 'working'],
    ['waiting_turn', 'working'],
    ['waiting_until', 'working'],
    ['waiting_person', 'needs_person'],
    ['paused', 'needs_person'],
    ['finished', 'done'],
    ['stopped', 'failed'],
    ['failed', 'failed'],
  ])('between turns is as its Pilot stands: %s', (status, standing) => {
    expect(stand(ended(), status).standing).toBe(standing);
  });

  it('is not done because a Pilot says so, where the last turn failed', () => {
    expect(stand(ended({ outcome: 'failed' }), 'finished').standing).toBe('failed');
  });

  it.each<PilotStatus>(['finished', 'stopped', 'failed'])(
    'goes by what a person asked for after its Pilot %s, and not by the word of the Pilot',
    (status) => {
      const over = BEGAN + ended().length * 1_000 + 1;
      const next = [accepted(OTHER_TURN), started(OTHER_TURN), turnEnded(OTHER_TURN)];
      expect(stand([...ended(), ...next], status, LATER, over)).toEqual({
        standing: 'done',
        reason: 'The last turn ended well.',
      });
      expect(stand(ended(), status, LATER, over).reason).toContain('so');
    },
  );

  it('goes by the open turn, whatever its Pilot says', () => {
    expect(
      stand([...ended(), accepted(OTHER_TURN), started(OTHER_TURN)], 'finished').standing,
    ).toBe('working');
  });
});
