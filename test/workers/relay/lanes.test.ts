import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SequencedEvent } from '../../../protocol/engine-event.ts';
import { type SessionId, sessionId } from '../../../protocol/ids.ts';
import { decideAccept } from '../../../protocol/delivery.ts';
import { AppendLanes, LANE_MAX_EVENTS, takeRun } from '../../../workers/relay/lanes.ts';
import type { AppendReply } from '../../../workers/lib/calls.ts';
import { sequence } from '../support/peers.ts';
import { text } from '../support/sessions.ts';
import { until } from '../support/socket.ts';

const A = sessionId.parse('ses_a');
const B = sessionId.parse('ses_b');
const eventsOf = (session: SessionId, from: number, to: number): SequencedEvent[] =>
  sequence(
    session,
    from,
    Array.from({ length: to - from + 1 }, (_, index) => text(`${from + index}`)),
  );

/** Lanes over feeds in memory; `hold` makes a session's appends wait, `fail` makes them throw. */
function makeLanes(options: { hold?: SessionId; fail?: () => boolean } = {}) {
  const stored = new Map<SessionId, number>();
  const told: string[] = [];
  let appends = 0;
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const lanes = new AppendLanes({
    async append(session, events): Promise<AppendReply> {
      appends += 1;
      if (session === options.hold) await held;
      if (options.fail?.()) throw new Error('the feed failed');
      const upTo = stored.get(session) ?? 0;
      const from = events[0]?.seq ?? 0;
      const acceptance = decideAccept(upTo, from, from + events.length - 1);
      if (acceptance.kind === 'gap') return acceptance;
      stored.set(session, acceptance.upTo);
      return { kind: 'stored', upTo: acceptance.upTo };
    },
    stored: (session, upTo) => told.push(`${session} stored ${upTo}`),
    gap: (session, expected) => told.push(`${session} lacks ${expected}`),
    refused: (session, code) => told.push(`${session} ${code}`),
    failed: () => undefined,
    wait: () => scheduler.wait(1),
  });
  return { lanes, stored, told, release, appends: () => appends };
}

describe('lanes', () => {
  it('let a slow feed hold back only itself', async () => {
    const { lanes, told, release } = makeLanes({ hold: A });
    lanes.accept([...eventsOf(A, 1, 2), ...eventsOf(B, 1, 3)]);
    await until(() => told.length === 1, 'the other session');
    expect(told).toEqual(['ses_b stored 3']);
    release();
    await until(() => told.length === 2, 'the slow session');
    expect(told[1]).toBe('ses_a stored 2');
  });

  it('carry everything that came during one append in the next', async () => {
    const { lanes, told, release, appends } = makeLanes({ hold: A });
    for (let seq = 1; seq <= 50; seq++) lanes.accept(eventsOf(A, seq, seq));
    release();
    await until(() => told.includes('ses_a stored 50'), 'all of them');
    expect(appends()).toBe(2);
  });

  it('ask a feed that failed again, and lose nothing', async () => {
    let failures = 3;
    const { lanes, told } = makeLanes({ fail: () => failures-- > 0 });
    lanes.accept(eventsOf(A, 1, 5));
    await until(() => told.length > 0, 'the append');
    expect(told).toEqual(['ses_a stored 5']);
  });

  it('take nothing of a frame with a hole', async () => {
    const { lanes, appends } = makeLanes();
    expect(lanes.accept([...eventsOf(A, 1, 1), ...eventsOf(A, 3, 3)])).toBe(A);
    expect(appends()).toBe(0);
  });

  it('do not confuse what a new connection sends with what the old one left', async () => {
    const { lanes, stored, told, release } = makeLanes({ hold: A });
    lanes.accept(eventsOf(A, 1, 3));
    lanes.accept(eventsOf(A, 4, 6));
    lanes.clear();
    lanes.accept(eventsOf(A, 1, 8));
    release();
    await until(() => stored.get(A) === 8, 'everything');
    expect(told.filter((line) => line.includes('lacks'))).toEqual([]);
  });

  it('store each event once and in order, whatever is repeated', async () => {
    const step = fc.record({
      back: fc.integer({ min: 0, max: 5 }),
      forward: fc.integer({ min: 1, max: 9 }),
      pause: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { lanes, stored, told } = makeLanes();
        let last = 0;
        for (const { back, forward, pause } of steps) {
          lanes.accept(eventsOf(A, Math.max(1, last - back + 1), last + forward));
          last += forward;
          if (pause) await scheduler.wait(0);
        }
        await until(() => (stored.get(A) ?? 0) === last, 'everything');
        expect(told.filter((line) => !line.includes('stored'))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a run', () => {
  it('ends where the seqs do not follow, and at its bound', () => {
    expect(takeRun([...eventsOf(A, 5, 7), ...eventsOf(A, 6, 9)], 10).map(({ seq }) => seq)).toEqual(
      [5, 6, 7],
    );
    expect(takeRun(eventsOf(A, 1, LANE_MAX_EVENTS + 1), LANE_MAX_EVENTS)).toHaveLength(
      LANE_MAX_EVENTS,
    );
  });
});
