import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideAccept, SEND_LIMITS } from '../../../protocol/delivery.ts';
import type { SequencedEvent } from '../../../protocol/engine-event.ts';
import { sessionId, type SessionId } from '../../../protocol/ids.ts';
import { Outbox } from '../../../runner/link/outbox.ts';
import { Sender } from '../../../runner/link/sender.ts';
import { Store } from '../../../runner/link/store.ts';

/**
 * Both ends of a delivery, driven by chance: the runner's end is the real outbox and sender over
 * a real database, the cloud's end stores and acks as a feed does. The network drops whatever it
 * likes; either end dies between any two steps.
 */
const SESSIONS = [sessionId.parse('ses_a'), sessionId.parse('ses_b')] as const;

type Step =
  | { do: 'make'; session: number; count: number }
  | { do: 'send' }
  | { do: 'deliver'; which: number; times: number }
  | { do: 'loseFrame'; which: number }
  | { do: 'ack'; which: number }
  | { do: 'loseAck'; which: number }
  | { do: 'reconnect' }
  | { do: 'crashRunner' }
  | { do: 'crashBeforeCommit'; session: number }
  | { do: 'crashCloud' }
  | { do: 'wait'; ms: number };

const index = fc.nat({ max: 7 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('make' as const),
    session: fc.nat({ max: 1 }),
    count: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({ do: fc.constant('send' as const) }),
  fc.record({
    do: fc.constant('deliver' as const),
    which: index,
    times: fc.integer({ min: 1, max: 2 }),
  }),
  fc.record({ do: fc.constant('loseFrame' as const), which: index }),
  fc.record({ do: fc.constant('ack' as const), which: index }),
  fc.record({ do: fc.constant('loseAck' as const), which: index }),
  fc.record({ do: fc.constant('reconnect' as const) }),
  fc.record({ do: fc.constant('crashRunner' as const) }),
  fc.record({ do: fc.constant('crashBeforeCommit' as const), session: fc.nat({ max: 1 }) }),
  fc.record({ do: fc.constant('crashCloud' as const) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.nat({ max: 40 }) }),
);

class World {
  readonly store = new Store(':memory:');
  readonly made = new Map<SessionId, number>(SESSIONS.map((id) => [id, 0]));
  readonly stored = new Map<SessionId, number[]>(SESSIONS.map((id) => [id, []]));
  outbox = new Outbox(this.store);
  sender = new Sender(this.outbox, { ...SEND_LIMITS, maxBatch: 4, maxInFlight: 10 });
  frames: string[] = [];
  acks: { sessionId: SessionId; upTo: number }[] = [];
  now = 0;

  connect(): void {
    this.frames = [];
    this.acks = [];
    const cursors = this.outbox
      .list()
      .map(({ sessionId: id }) => ({ sessionId: id, upTo: this.stored.get(id)?.length ?? 0 }));
    this.sender.open(cursors);
  }

  send(): void {
    for (
      let round = this.sender.next(this.now);
      round.frames.length > 0;
      round = this.sender.next(this.now)
    ) {
      this.frames.push(...round.frames);
    }
  }

  deliver(frame: string): void {
    const { events } = JSON.parse(frame) as { events: SequencedEvent[] };
    const [first] = events;
    const last = events.at(-1);
    if (!first || !last) throw new Error('an empty frame');
    const stored = this.stored.get(first.sessionId) ?? [];
    const decision = decideAccept(stored.length, first.seq, last.seq);
    if (decision.kind === 'gap') return this.connect();
    if (decision.kind === 'accept') stored.push(...events.slice(decision.skip).map(valueOf));
    this.acks.push({ sessionId: first.sessionId, upTo: stored.length });
  }

  make(id: SessionId, count: number): void {
    const from = this.made.get(id) ?? 0;
    const events = Array.from({ length: count }, (_, offset) => eventOf(from + offset + 1));
    const lastSeq = this.outbox.append(id, this.now, events);
    this.made.set(id, from + count);
    this.sender.extend(id, lastSeq);
  }

  /** A new process over the same database; the connection is gone with the old one. */
  crashRunner(): void {
    this.outbox = new Outbox(this.store);
    this.sender = new Sender(this.outbox, { ...SEND_LIMITS, maxBatch: 4, maxInFlight: 10 });
    this.connect();
  }

  /** The transaction that would have stored these events never commits. */
  crashBeforeCommit(id: SessionId): void {
    const torn = () =>
      this.store.transaction(() => {
        this.outbox.append(id, this.now, [eventOf(-1)]);
        throw new Error('power');
      });
    try {
      torn();
    } catch {
      // Rolled back, as if it had never begun.
    }
    this.crashRunner();
  }

  run(one: Step): void {
    switch (one.do) {
      case 'make':
        return this.make(SESSIONS[one.session] ?? SESSIONS[0], one.count);
      case 'send':
        return this.send();
      case 'deliver': {
        const frame = this.frames[one.which];
        if (frame === undefined) return;
        this.frames.splice(one.which, 1);
        for (let time = 0; time < one.times; time++) this.deliver(frame);
        return;
      }
      case 'loseFrame':
        return void this.frames.splice(one.which, 1);
      case 'ack': {
        const [ack] = this.acks.splice(one.which, 1);
        if (ack) this.sender.acknowledge(ack.sessionId, ack.upTo, this.now);
        return;
      }
      case 'loseAck':
        return void this.acks.splice(one.which, 1);
      case 'reconnect':
      case 'crashCloud':
        return this.connect();
      case 'crashRunner':
        return this.crashRunner();
      case 'crashBeforeCommit':
        return this.crashBeforeCommit(SESSIONS[one.session] ?? SESSIONS[0]);
      case 'wait':
        this.now += one.ms;
        return;
      default:
        return one satisfies never;
    }
  }

  /** What is not as it must be at this moment. */
  violations(): string[] {
    return SESSIONS.flatMap((id) => {
      const stored = this.stored.get(id) ?? [];
      const found: string[] = [];
      if (stored.some((value, position) => value !== position + 1))
        found.push(`${id} stored ${stored.join()}`);
      if (stored.length > (this.made.get(id) ?? 0)) found.push(`${id} stored what was never made`);
      if (this.outbox.read(id).ackedUpTo > stored.length)
        found.push(`${id} acked what is not stored`);
      return found;
    });
  }

  /** A quiet network at last: everything arrives and everything is acked. */
  settle(): void {
    this.connect();
    for (let round = 0; this.outbox.list().length > 0; round++) {
      if (round > 1_000) throw new Error('the outbox does not empty');
      this.now += 100;
      this.send();
      for (const frame of this.frames.splice(0)) this.deliver(frame);
      for (const ack of this.acks.splice(0))
        this.sender.acknowledge(ack.sessionId, ack.upTo, this.now);
    }
  }
}

const eventOf = (value: number) =>
  ({ type: 'notice/raised', level: 'info', code: 'value', message: String(value) }) as const;
const valueOf = ({ event }: SequencedEvent) =>
  event.type === 'notice/raised' ? Number(event.message) : Number.NaN;

test('whatever a network and two crashing ends do, every event is stored once, in order, and the outbox empties', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const world = new World();
      world.connect();
      for (const one of steps) {
        world.run(one);
        expect(world.violations()).toEqual([]);
      }
      world.settle();
      expect(world.violations()).toEqual([]);
      for (const id of SESSIONS) expect(world.stored.get(id)).toHaveLength(world.made.get(id) ?? 0);
      const rows = world.store.db.prepare('SELECT count(*) AS n FROM outbox').get();
      expect(rows?.['n']).toBe(0);
      world.store.close();
    }),
    { numRuns: 150 },
  );
});
