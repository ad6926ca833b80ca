import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { LOCAL_ACTOR, launchId } from '../../../protocol/ids.ts';
import { decideTurnResult } from '../../../runner/cli/await-turn.ts';
import { created, OTHER_TURN, TURN, viewAfter } from '../../support/protocol-builders.ts';

const accepted: FeedEvent = {
  type: 'turn/accepted',
  turnId: TURN,
  text: 'Go',
  actorId: LOCAL_ACTOR,
};
const endedWith = (
  outcome: 'ok' | 'failed' | 'killed' | 'interrupted',
  turnId = TURN,
): FeedEvent => ({
  type: 'turn/ended',
  turnId,
  outcome,
  error: outcome === 'failed' ? { code: 'overloaded', message: 'Busy' } : null,
  durationMs: 1,
  usage: 'recorded',
  acts: 'recorded',
});
const resultAfter = (...events: FeedEvent[]) =>
  decideTurnResult(viewAfter(created(), accepted, ...events), TURN);

describe('the turn that is waited for', () => {
  it('is not over while it is accepted, or while another turn ends', () => {
    expect(resultAfter()).toBeNull();
    expect(resultAfter(endedWith('ok', OTHER_TURN))).toBeNull();
  });

  it.each(['ok', 'killed', 'interrupted'] as const)('is over as %s', (outcome) => {
    expect(resultAfter(endedWith(outcome))).toEqual({ outcome, reason: null });
  });

  it('fails with the reason of the engine', () => {
    expect(resultAfter(endedWith('failed'))).toEqual({ outcome: 'failed', reason: 'Busy' });
  });

  it('fails with the launch', () => {
    const failed: FeedEvent = {
      type: 'launch/failed',
      launchId: launchId.parse('lau_1'),
      state: 'failed_to_start',
      stage: 'queued',
      error: { code: 'workspace_refused', message: 'Not there' },
      elapsedMs: 1,
      stderrTail: [],
    };
    expect(resultAfter(failed)).toEqual({ outcome: 'failed', reason: 'Not there' });
  });

  it('fails when it was not delivered', () => {
    const lost: FeedEvent = {
      type: 'turn/delivered',
      turnId: TURN,
      delivery: 'undelivered',
      reason: 'No engine',
    };
    expect(resultAfter(lost)).toEqual({ outcome: 'failed', reason: 'No engine' });
  });

  it('fails when the session is stopped', () => {
    const stopped: FeedEvent = { type: 'session/ended', end: 'stopped', reason: 'You stopped it' };
    expect(resultAfter(stopped)).toEqual({ outcome: 'failed', reason: 'You stopped it' });
  });
});
