import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../protocol/engine-event.ts';
import { can } from '../../protocol/session.ts';
import { silenceOf, silentUntil } from '../../protocol/silence.ts';
import { launchId } from '../../protocol/ids.ts';
import { created, TURN, viewAfter } from '../support/protocol-builders.ts';

const LAUNCH = launchId.parse('lau_one');
const blocked: FeedEvent = {
  type: 'engine/blocked',
  why: 'unknown',
  excerpt: 'Which?',
  message: 'It waits.',
};
const freed: FeedEvent = { type: 'engine/unblocked' };
const staged = (stage: 'spawned' | 'bootstrap_submitted'): FeedEvent => ({
  type: 'launch/staged',
  launchId: LAUNCH,
  stage,
  process: null,
});
const ready: FeedEvent = {
  type: 'engine/ready',
  launchId: LAUNCH,
  engineSessionId: 'one',
  engineVersion: null,
  model: null,
  payer: 'unknown',
  credential: null,
};
const working: FeedEvent[] = [
  staged('spawned'),
  ready,
  { type: 'turn/started', turnId: TURN, origin: 'instruction' },
];

describe('a view of a blocked session', () => {
  it.each([
    ['its queue', [], 'queued'],
    ['its launch', [staged('spawned')], 'spawned'],
    ['its handshake', [staged('spawned'), staged('bootstrap_submitted')], 'bootstrap_submitted'],
    ['its turn', working, 'working'],
  ] as const)('goes back to %s when it goes on', (_where, before, state) => {
    const held = viewAfter(created(), ...before, blocked);
    expect(held).toMatchObject({
      state: 'blocked',
      reason: 'It waits.',
      blocked: { excerpt: 'Which?', message: 'It waits.' },
    });
    const on = viewAfter(created(), ...before, blocked, freed);
    expect(on).toMatchObject({ state, reason: null, blocked: null });
  });

  it('waits for a person, so that no silence ends it', () => {
    expect(silentUntil(silenceOf(viewAfter(created(), ...working)))).not.toBeNull();
    expect(silentUntil(silenceOf(viewAfter(created(), ...working, blocked)))).toBeNull();
  });

  it('can be interrupted, stopped and taken over', () => {
    for (const action of ['interrupt', 'stop', 'takeover'] as const)
      expect(can(action, 'blocked')).toEqual({ allowed: true });
  });

  it('is blocked no more when it ends', () => {
    const ended: FeedEvent = { type: 'session/ended', end: 'stopped', reason: 'Stopped.' };
    expect(viewAfter(created(), ...working, blocked, ended)).toMatchObject({
      state: 'stopped',
      blocked: null,
    });
  });

  it('is not changed by an end of what never began', () => {
    const view = viewAfter(created(), ...working);
    expect({ ...viewAfter(created(), ...working, freed), updatedAt: 0 }).toEqual({
      ...view,
      updatedAt: 0,
    });
  });
});
