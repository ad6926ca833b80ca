import { describe, expect, it } from 'vitest';
import { actorId } from '../../../protocol/ids.ts';
import {
  decideDrive,
  decideLetGo,
  decideRunOut,
  driverOf,
  IDLE_MS,
  LEFT_MS,
  nextDue,
  type PaneDecision,
  type PaneState,
  RECORD_AFTER_MS,
  UNDRIVEN,
  withTyped,
  withWindow,
} from '../../../workers/relay/pane-lease.ts';

const NOW = 1_000_000;
const ANN = { keyHash: 'ann', actorId: actorId.parse('usr_ann'), channel: 'console' };
const BOB = { keyHash: 'bob', actorId: actorId.parse('usr_bob'), channel: 'cli' };

function changed(decision: PaneDecision | null) {
  if (decision?.kind !== 'change') throw new Error(`nothing was changed: ${decision?.kind}`);
  return decision;
}
const driven = (by = ANN): PaneState =>
  withWindow(changed(decideDrive(UNDRIVEN, { ...by, force: false }, NOW)).state, true, NOW);

describe('taking the keys', () => {
  it('is one person’s at a time, and another’s by force alone, who gets a later epoch', () => {
    const state = driven();
    expect(driverOf(state)).toEqual({ actorId: ANN.actorId, channel: 'console', at: NOW });
    expect(decideDrive(state, { ...BOB, force: false }, NOW)).toEqual({
      kind: 'refused',
      code: 'terminal_driven',
    });
    const taken = changed(decideDrive(state, { ...BOB, force: true }, NOW + 5));
    expect(taken.state.lease).toMatchObject({ keyHash: 'bob', epoch: 2 });
    expect(taken.events.map(({ kind }) => kind)).toEqual(['let_go', 'took']);
    expect(taken.events[0]).toMatchObject({ reason: 'forced', actorId: ANN.actorId });
  });

  it('never gives an epoch twice, however often it is let go', () => {
    let state = UNDRIVEN;
    for (let turn = 1; turn <= 3; turn++) {
      state = changed(decideDrive(state, { ...ANN, force: false }, NOW)).state;
      expect(state.lease?.epoch).toBe(turn);
      state = changed(decideLetGo(state, { keyHash: 'ann', force: false })).state;
    }
  });
});

describe('letting go', () => {
  it('takes the key or force, and keeps what was typed before it', () => {
    const typed = withTyped(withTyped(driven(), 3, NOW), 4, NOW + 1);
    expect(decideLetGo(UNDRIVEN, { keyHash: null, force: true })).toMatchObject({
      code: 'terminal_not_driven',
    });
    expect(decideLetGo(typed, { keyHash: 'bob', force: false })).toMatchObject({
      code: 'terminal_driven',
    });
    expect(decideLetGo(typed, { keyHash: null, force: false })).toMatchObject({
      code: 'terminal_driven',
    });
    const own = changed(decideLetGo(typed, { keyHash: 'ann', force: false }));
    expect(own.state).toEqual({ epoch: 1, lease: null, typed: null });
    expect(own.events).toEqual([
      expect.objectContaining({ kind: 'typed', bytes: 7, batches: 2 }),
      expect.objectContaining({ kind: 'let_go', reason: 'handed_back' }),
    ]);
    const forced = changed(decideLetGo(typed, { keyHash: null, force: true }));
    expect(forced.events.at(-1)).toMatchObject({ reason: 'forced' });
  });
});

describe('a lease', () => {
  it('runs out when its window is gone and does not come back in time', () => {
    const left = withWindow(driven(), false, NOW);
    expect(decideRunOut(left, NOW + LEFT_MS - 1)).toBeNull();
    expect(decideRunOut(withWindow(left, true, NOW + 1), NOW + LEFT_MS)).toBeNull();
    expect(changed(decideRunOut(left, NOW + LEFT_MS)).events).toEqual([
      expect.objectContaining({ kind: 'let_go', reason: 'left' }),
    ]);
  });

  it('runs out for one who never opened a window', () => {
    const { state } = changed(decideDrive(UNDRIVEN, { ...ANN, force: false }, NOW));
    expect(changed(decideRunOut(state, NOW + LEFT_MS)).state.lease).toBeNull();
  });

  it('runs out when nothing is typed for long, and begins anew with each key', () => {
    expect(changed(decideRunOut(driven(), NOW + IDLE_MS)).events.at(-1)).toMatchObject({
      reason: 'idle',
    });
    const typed = withTyped(driven(), 1, NOW + IDLE_MS - 1);
    expect(decideRunOut(typed, NOW + IDLE_MS)).toBeNull();
  });

  it('says when something of it is due', () => {
    expect(nextDue(UNDRIVEN)).toBeNull();
    expect(nextDue(driven())).toBe(NOW + IDLE_MS);
    expect(nextDue(withWindow(driven(), false, NOW + 7))).toBe(NOW + 7 + LEFT_MS);
    expect(nextDue(withTyped(driven(), 1, NOW + 9))).toBe(NOW + 9 + RECORD_AFTER_MS);
  });
});

describe('what is typed', () => {
  it('is nobody’s without a lease, and counted in bytes and batches with one', () => {
    expect(withTyped(UNDRIVEN, 5, NOW)).toBe(UNDRIVEN);
    expect(withTyped(driven(), 5, NOW).typed).toMatchObject({ bytes: 5, batches: 1, epoch: 1 });
  });
});
