import { describe, expect, it } from 'vitest';
import { SESSION_STATES, type SessionState } from '../../../protocol/session.ts';
import { decideSince } from '../../../console/home/since.ts';
import { aSummary } from '../frame/summaries.ts';

const LOOKED = 1_000;
const at = (state: SessionState, updatedAt: number, dismissedAt: number | null = null) =>
  aSummary(state, { updatedAt, dismissedAt });
const freshStates = (updatedAt: number, lookedAt: number | null) =>
  decideSince(
    SESSION_STATES.map((state) => at(state, updatedAt)),
    lookedAt,
  ).fresh.map(({ state }) => state);

describe('what came to rest since somebody looked', () => {
  it('is news where its work is over, for now or for good', () => {
    expect(freshStates(LOOKED + 1, LOOKED).toSorted()).toEqual([
      'failed',
      'finished',
      'idle',
      'lost',
      'parked',
      'stopped',
    ]);
  });

  it('is no news when it was so already', () => {
    expect(freshStates(LOOKED, LOOKED)).toEqual([]);
  });

  it('is no news to somebody who never looked: then everything would be', () => {
    expect(freshStates(LOOKED, null)).toEqual([]);
  });

  it('is no news where somebody has dismissed the failure', () => {
    expect(decideSince([at('failed', 2_000, 1_900)], LOOKED).fresh).toEqual([]);
  });

  it('leaves every session in exactly one of the two, in its order', () => {
    const sessions = [at('idle', 3_000), at('paused', 2_500), at('finished', 500)];
    const { fresh, seen } = decideSince(sessions, LOOKED);
    expect(fresh).toEqual([sessions[0]]);
    expect(seen).toEqual([sessions[1], sessions[2]]);
  });
});
