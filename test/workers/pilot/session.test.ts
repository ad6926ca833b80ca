import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { LOCAL_ACTOR, turnId } from '../../../protocol/ids.ts';
import { succeed } from '../../../workers/lib/outcome.ts';
import { observationOf, type PilotFeed, readFacts } from '../../../workers/pilot/session.ts';
import { readAgain } from '../../support/pilot-builders.ts';
import { entriesOf, OTHER_TURN, TURN, viewAfter } from '../../support/protocol-builders.ts';

const accepted: FeedEvent = {
  type: 'turn/accepted',
  turnId: TURN,
  text: 'Go',
  actorId: LOCAL_ACTOR,
};
const started: FeedEvent = { type: 'turn/started', turnId: TURN, origin: 'instruction' };
const turnEnded = (over: object = {}): FeedEvent => ({
  type: 'turn/ended',
  turnId: TURN,
  outcome: 'ok',
  error: null,
  durationMs: 1,
  usage: 'none',
  acts: 'none',
  ...over,
});
const edited = (path: string, patch: string): FeedEvent => ({
  type: 'tool/ended',
  toolId: `tool-${path}`,
  outcome: 'ok',
  exitCode: null,
  output: { text: '', truncated: null },
  files: [
    { path, change: 'edited', patch: { text: patch, truncated: null }, additions: 1, deletions: 0 },
  ],
  durationMs: 1,
});

describe('what a Pilot sees of its session', () => {
  it('is how far its own turn got', () => {
    const look = (...events: FeedEvent[]) => observationOf(viewAfter(...events), TURN, null).turn;
    expect(look()).toBe('absent');
    expect(look(accepted)).toBe('accepted');
    expect(look(accepted, started)).toBe('started');
    expect(look(accepted, started, turnEnded())).toBe('ended');
    const delivered = (delivery: 'undelivered' | 'unknown'): FeedEvent => ({
      type: 'turn/delivered',
      turnId: TURN,
      delivery,
      reason: null,
    });
    expect(look(accepted, delivered('undelivered'))).toBe('undelivered');
    expect(look(accepted, delivered('unknown'))).toBe('unknown');
  });

  it('is busy while another turn runs or waits, and not with one that reached nobody', () => {
    const busy = (...events: FeedEvent[]) => observationOf(viewAfter(...events), TURN, null).busy;
    const other: FeedEvent = { ...accepted, turnId: OTHER_TURN };
    expect(busy(accepted, started)).toBe(false);
    expect(busy(accepted, other)).toBe(true);
    const lost: FeedEvent = {
      type: 'turn/delivered',
      turnId: OTHER_TURN,
      delivery: 'undelivered',
      reason: null,
    };
    expect(busy(accepted, other, lost)).toBe(false);
    expect(busy({ ...started, turnId: OTHER_TURN, origin: 'engine' })).toBe(true);
  });

  it('is nobody’s turn when it waits for none', () => {
    expect(observationOf(viewAfter(accepted), null, null).turn).toBe('none');
  });
});

describe('what a turn came to', () => {
  const facts = (position: number, ...events: FeedEvent[]) => {
    const all = entriesOf(events);
    const feed: PilotFeed = {
      readView: () => Promise.reject(new Error('not asked for')),
      instruct: () => Promise.reject(new Error('not asked for')),
      request: () => Promise.reject(new Error('not asked for')),
      brain: () => Promise.reject(new Error('not asked for')),
      listEntries: async (after, limit) =>
        succeed({ entries: all.slice(after, after + Math.min(limit, 2)), last: all.length }),
    };
    return readFacts(feed, viewAfter(...events), TURN, position);
  };

  it('is read to the end of the record, a page at a time', async () => {
    const events = [accepted, started, edited('a', '+1'), edited('b', '+2'), turnEnded()];
    expect(await facts(0, ...events)).toMatchObject({ outcome: 'ok', position: 5, acts: 0 });
  });

  it('names what the files became: the same changes alike, others apart, none not at all', async () => {
    const one = await facts(0, accepted, edited('a', '+x'), turnEnded());
    const same = await facts(0, accepted, started, edited('a', '+x'), turnEnded());
    const other = await facts(0, accepted, edited('a', '+y'), turnEnded());
    expect(one.changes).toBe(same.changes);
    expect(one.changes).not.toBe(other.changes);
    expect((await facts(0, accepted, turnEnded())).changes).toBeNull();
  });

  it('is what git has of the work, whatever the engine tells, and nothing while it has nothing', async () => {
    const brought = (commits: number, uncommittedFiles: number): FeedEvent => ({
      type: 'checkout/broughtBack',
      turnId: TURN,
      branch: 'pilothouse/x',
      commit: 'c1',
      commits,
      uncommittedFiles,
    });
    expect((await facts(0, accepted, turnEnded(), brought(1, 0))).tip).toBe('c1 and 0 files');
    expect((await facts(0, accepted, turnEnded(), brought(0, 2))).tip).toBe('c1 and 2 files');
    expect((await facts(0, accepted, turnEnded(), brought(0, 0))).tip).toBeNull();
    expect((await facts(0, accepted, turnEnded())).tip).toBeNull();
  });

  it('tells what a conversation that has grown long costs to go on with', async () => {
    expect((await facts(0, accepted, turnEnded())).reread).toBeNull();
    const turns = ['trn_a', 'trn_b', 'trn_c'].flatMap((id): FeedEvent[] => {
      const own = { turnId: turnId.parse(id) };
      return [
        { ...accepted, ...own },
        { ...started, ...own },
        readAgain(own.turnId),
        { ...turnEnded(), ...own },
      ];
    });
    expect((await facts(0, ...turns)).reread).toMatchObject({ cacheReadTokens: 300_000, turns: 3 });
  });

  it('is of what came after the turn before, which was judged already', async () => {
    const events = [edited('a', '+x'), accepted, started, turnEnded()];
    expect((await facts(0, ...events)).changes).not.toBeNull();
    expect((await facts(1, ...events)).changes).toBeNull();
  });

  it('tells why it failed, and when the provider takes requests again', async () => {
    const error = { code: 'rate_limited', message: 'Slow down.' } as const;
    const limit: FeedEvent = { type: 'rateLimit/reported', status: 'rejected', resetsAt: 9_000 };
    const failed = turnEnded({ outcome: 'failed', error });
    expect(await facts(0, accepted, started, limit, failed)).toMatchObject({
      outcome: 'failed',
      failure: 'rate_limited',
      message: 'Slow down.',
      resetsAt: 9_000,
    });
  });
});
