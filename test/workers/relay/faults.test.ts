import { evictDurableObject } from 'cloudflare:test';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { entriesPage } from '../../../protocol/http.ts';
import { ask } from '../support/http.ts';
import { PeerRunner, PeerViewer } from '../support/peers.ts';
import {
  feedStub,
  type Launched,
  launchOn,
  relayStub,
  startOnline,
  text,
  turnEnded,
} from '../support/sessions.ts';
import { until } from '../support/socket.ts';

/** What can go wrong between a runner and the record, as one step each. */
type Fault =
  | { kind: 'send'; count: number }
  /** A frame that was sent before is sent again. */
  | { kind: 'repeat'; back: number }
  /** A frame is lost on the way: the next one leaves a gap. */
  | { kind: 'lose'; count: number }
  | { kind: 'reconnect' }
  | { kind: 'evictFeed' }
  | { kind: 'evictRelay' }
  | { kind: 'viewerReconnect' };

const fault: fc.Arbitrary<Fault> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      count: fc.integer({ min: 1, max: 20 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('repeat' as const),
      back: fc.integer({ min: 1, max: 10 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('lose' as const),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'reconnect' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'evictFeed' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'evictRelay' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'viewerReconnect' as const }) },
);

/** A runner's outbox and a console's cursor, driven through faults against the real objects. */
class Journey {
  readonly session: Launched;
  peer: PeerRunner;
  viewer: PeerViewer | null = null;
  made = 0;
  sent = 0;
  /** What the console has, by position, across all of its connections. */
  readonly shown: number[] = [];
  /** The highest ack of any connection: never more than what was made. */
  acked = 0;

  constructor(session: Launched) {
    this.session = session;
    this.peer = session.peer;
  }

  events(from: number, to: number) {
    return Array.from({ length: to - from + 1 }, (_, index) => text(`${from + index}`));
  }

  async watch(): Promise<void> {
    this.collect();
    this.viewer?.socket.close();
    this.viewer = await PeerViewer.watching(
      this.session.sessionId,
      this.session.cli,
      this.shown.at(-1) ?? 0,
    );
  }

  collect(): void {
    for (const { position } of this.viewer?.entries().slice(0) ?? []) this.shown.push(position);
    this.viewer?.frames.splice(0);
  }

  noteAcks(): void {
    this.acked = Math.max(this.acked, this.peer.ackedUpTo(this.session.sessionId));
  }

  async reconnect(): Promise<void> {
    this.noteAcks();
    if (this.peer.closeCode === null) this.peer.socket.close();
    const { sessionId, runner } = this.session;
    this.peer = await PeerRunner.connect(runner);
    this.peer.initialize(runner, [{ sessionId, lastSeq: this.made }]);
    const { cursors } = await this.peer.next('initialized');
    const upTo = cursors[0]?.upTo ?? 0;
    // Law: what was acknowledged is stored, so the cursor is never behind an ack.
    if (upTo < this.acked) throw new Error(`acked ${this.acked} and stored ${upTo}`);
    this.sent = upTo;
    if (this.made > upTo) this.send(upTo + 1, this.made);
  }

  send(from: number, to: number): void {
    this.peer.events(this.session.sessionId, from, this.events(from, to));
    this.sent = Math.max(this.sent, to);
  }

  async step(next: Fault): Promise<void> {
    if (this.peer.closeCode !== null) await this.reconnect();
    switch (next.kind) {
      case 'send':
        this.made += next.count;
        return this.send(this.sent + 1, this.made);
      case 'repeat':
        return this.sent === 0
          ? undefined
          : this.send(Math.max(1, this.sent - next.back + 1), this.sent);
      case 'lose':
        this.made += next.count;
        this.sent = this.made;
        return;
      case 'reconnect':
        return this.reconnect();
      case 'evictFeed':
        // Only an object that is awake can be put to sleep.
        await feedStub(this.session.sessionId).readCursor(this.session.runner.runnerId);
        return evictDurableObject(feedStub(this.session.sessionId));
      case 'evictRelay':
        await relayStub(this.session.runner).readStatus();
        return evictDurableObject(relayStub(this.session.runner));
      case 'viewerReconnect':
        return this.watch();
      default:
        return next satisfies never;
    }
  }

  /** Everything settles: the outbox is emptied and the console has caught up. */
  async settle(): Promise<void> {
    await this.reconnect();
    this.made += 1;
    this.peer.events(this.session.sessionId, this.made, [turnEnded(this.session.turnId)]);
    await until(
      () => this.peer.ackedUpTo(this.session.sessionId) === this.made,
      'the outbox to empty',
    );
    await until(() => {
      this.collect();
      return this.shown.at(-1) === this.made + 2;
    }, 'the console to catch up');
  }
}

it('stores and shows every event once and in order, whatever is lost, repeated or put to sleep (D6)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { minLength: 1, maxLength: 14 }), async (faults) => {
      const journey = new Journey(await launchOn(await startOnline()));
      await journey.watch();
      for (const next of faults) await journey.step(next);
      await journey.settle();
      const { sessionId, cli } = journey.session;
      const answer = await ask('GET', `/v1/sessions/${sessionId}/entries?limit=1000`, {
        bearer: cli,
      });
      const { entries } = entriesPage.parse(answer.body);
      const seqs = Array.from({ length: journey.made }, (_, index) => index + 1);
      expect(entries.map(({ seq }) => seq)).toEqual([null, null, ...seqs]);
      expect(journey.shown).toEqual(entries.map(({ position }) => position));
    }),
    { numRuns: 12, endOnFailure: true },
  );
}, 120_000);
