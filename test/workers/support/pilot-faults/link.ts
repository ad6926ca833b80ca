import type { CommandResult } from '../../../../protocol/command.ts';
import type { Command } from '../../../../protocol/command.ts';
import type { EngineEvent } from '../../../../protocol/engine-event.ts';
import type { CommandId, SessionId } from '../../../../protocol/ids.ts';
import type { RelayFrame } from '../../../../protocol/runner-frames.ts';
import type { RegisteredRunner } from '../http.ts';
import { MACHINE, PeerRunner } from '../peers.ts';
import type { Chance } from './chance.ts';

/** What a machine keeps on its disk for its way to the cloud. */
export type Outbox = { sessionId: SessionId | null; events: EngineEvent[] };

type Held = { due: number; carry: () => void };

/**
 * A runner's link that loses, repeats and holds up frames both ways. As on a real socket nothing
 * overtakes anything, and a frame is lost together with its connection. What was not acknowledged
 * is sent again on the next one.
 */
export class FaultyLink {
  readonly #runner: RegisteredRunner;
  readonly #chance: Chance;
  readonly #outbox: Outbox;
  readonly #take: (command: Command) => void;
  #peer: PeerRunner | null = null;
  #read = 0;
  #sent = 0;
  #ticks = 0;
  #awayUntil = 0;
  #welcomed = false;
  #ways: Record<'in' | 'out', Held[]> = { in: [], out: [] };
  /** Likelihoods are zero from here on. */
  calm = false;

  constructor(
    runner: RegisteredRunner,
    chance: Chance,
    outbox: Outbox,
    take: (command: Command) => void,
  ) {
    this.#runner = runner;
    this.#chance = chance;
    this.#outbox = outbox;
    this.#take = take;
  }

  /** Connects for the first time, which nothing hinders. */
  async open(): Promise<void> {
    await this.#connect();
    await this.#peer?.next('initialized');
  }

  /** Everything that the machine has made is stored in the cloud. */
  get isEmpty(): boolean {
    return this.#welcomed && this.#acked() >= this.#outbox.events.length;
  }

  get isAway(): boolean {
    return this.#peer === null;
  }

  /** Moves what is due; connects again once it was away long enough. Says whether anything moved. */
  async tick(): Promise<boolean> {
    this.#ticks += 1;
    if (this.#peer && this.#peer.closeCode !== null)
      this.leave(this.#chance.between('away', 1, 12));
    if (!this.#peer) return this.#ticks >= this.#awayUntil && this.#connect();
    const came = this.#peer.frames.slice(this.#read);
    this.#read += came.length;
    for (const frame of came) this.#hold('in', () => this.#hear(frame));
    if (this.#isGone()) return true;
    if (this.#welcomed && this.#sent < this.#outbox.events.length) this.#sendEvents();
    const moved = [this.#carry('in'), this.#carry('out')];
    return moved.includes(true) || came.length > 0;
  }

  /** Answers a command; on a connection that is lost the answer is lost. */
  answer(id: CommandId, result: CommandResult): void {
    this.#hold('out', () => this.#peer?.result(id, result));
  }

  /** Says anything at all, so that the machine is not thought away. */
  greet(): void {
    if (this.#welcomed) this.#peer?.send({ type: 'machine', machine: MACHINE });
  }

  /** The connection is gone, with all that was under way on it, for so many ticks. */
  leave(ticks: number): void {
    if (this.#peer?.closeCode === null) this.#peer.socket.close();
    this.#peer = null;
    this.#welcomed = false;
    this.#ways = { in: [], out: [] };
    this.#awayUntil = this.#ticks + ticks;
  }

  /** Is back at the next tick, however long it was to be away. */
  return(): void {
    this.#awayUntil = 0;
  }

  async #connect(): Promise<boolean> {
    this.#peer = await PeerRunner.connect(this.#runner);
    this.#read = 0;
    const { sessionId, events } = this.#outbox;
    const sessions = sessionId ? [{ sessionId, lastSeq: events.length }] : [];
    this.#peer.initialize(this.#runner, sessions);
    return true;
  }

  /** A frame that was lost took the connection with it. */
  #isGone = (): boolean => this.#peer === null;

  #acked(): number {
    const { sessionId } = this.#outbox;
    return Math.max(this.#stored, (sessionId && this.#peer?.ackedUpTo(sessionId)) || 0);
  }

  #stored = 0;

  #hear(frame: RelayFrame): void {
    if (frame.type === 'command') this.#take(frame.command);
    if (frame.type !== 'initialized') return;
    this.#stored = frame.cursors[0]?.upTo ?? 0;
    this.#sent = this.#stored;
    this.#welcomed = true;
  }

  #sendEvents(): void {
    const from = this.#sent + 1;
    const some = this.#outbox.events.slice(this.#sent);
    this.#sent += some.length;
    const { sessionId } = this.#outbox;
    if (sessionId) this.#hold('out', () => this.#peer?.events(sessionId, from, some));
  }

  #hold(way: 'in' | 'out', carry: () => void): void {
    const likely = (name: string, likelihood: number) =>
      !this.calm && this.#chance.happens(`${way} ${name}`, likelihood);
    if (likely('lost', 0.02)) return this.leave(this.#chance.between('away', 1, 12));
    const wait = likely('late', 0.08) ? this.#chance.between('late', 1, 10) : 0;
    const due = Math.max(this.#ticks + wait, this.#ways[way].at(-1)?.due ?? 0);
    this.#ways[way].push({ due, carry });
    if (likely('twice', 0.06)) this.#ways[way].push({ due, carry });
  }

  #carry(way: 'in' | 'out'): boolean {
    const held = this.#ways[way];
    const due = held.filter((each) => each.due <= this.#ticks);
    this.#ways[way] = held.filter((each) => each.due > this.#ticks);
    for (const { carry } of due) carry();
    return due.length > 0 || held.length > 0;
  }
}
