import { describe, expect, it } from 'vitest';
import type { FeedEntry, FeedEvent } from '../../../protocol/engine-event.ts';
import { LOCAL_ACTOR, launchId } from '../../../protocol/ids.ts';
import { decideTurnResult, isBroughtBack } from '../../../runner/cli/await-turn.ts';
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

describe('the commits of a turn that is waited for', () => {
  const prepared = (mode: 'own' | 'inPlace'): FeedEvent => ({
    type: 'checkout/prepared',
    mode,
    directory: '/checkout',
    branch: 'pilothouse/go',
    baseCommit: 'a'.repeat(40),
    included: [],
    fromUncommitted: false,
  });
  const broughtBack = (turnId = TURN): FeedEvent => ({
    type: 'checkout/broughtBack',
    turnId,
    branch: 'pilothouse/go',
    commit: 'b'.repeat(40),
    commits: 1,
    uncommittedFiles: 0,
  });
  const failed: FeedEvent = {
    type: 'notice/raised',
    level: 'warning',
    code: 'bring_back_failed',
    message: 'No room',
  };
  const isBackAfter = (mode: 'own' | 'inPlace', ...events: FeedEvent[]) => {
    const all = [created(), accepted, prepared(mode), ...events];
    const entries = all.map((event, index) => ({ position: index + 1, at: 1, event }));
    return isBroughtBack(viewAfter(...all), TURN, entries as FeedEntry[]);
  };

  it('are waited for until the machine says that they are back', () => {
    expect(isBackAfter('own', endedWith('ok'))).toBe(false);
    expect(isBackAfter('own', endedWith('ok'), broughtBack(OTHER_TURN))).toBe(false);
    expect(isBackAfter('own', endedWith('ok'), broughtBack())).toBe(true);
  });

  it('are given up when that failed after this turn, not after an earlier one', () => {
    expect(isBackAfter('own', endedWith('ok'), failed)).toBe(true);
    expect(isBackAfter('own', failed, endedWith('ok'))).toBe(false);
  });

  it('are not waited for in place, of an ended session, or of a turn that never was', () => {
    const stopped: FeedEvent = { type: 'session/ended', end: 'stopped', reason: 'You stopped it' };
    expect(isBackAfter('inPlace', endedWith('ok'))).toBe(true);
    expect(isBackAfter('own', endedWith('killed'), stopped)).toBe(true);
    expect(isBackAfter('own')).toBe(true);
  });
});
