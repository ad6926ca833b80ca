import { z } from 'zod';
import type { TerminalFrame } from '../../protocol/terminal-frames.ts';
import { REFUSALS } from '../../protocol/version.ts';
import { viewerIdentity, type ViewerIdentity } from '../lib/calls.ts';
import { readAttachment } from './attachment.ts';
import { ViewerFlow } from './viewer-flow.ts';

/** How long a credential that was good is taken for good, in ms. */
const CREDENTIAL_CHECK_MS = 5_000;

/** What survives on a viewer's socket while the object sleeps. */
const heldViewer = z.object({
  id: z.string(),
  identity: viewerIdentity,
  /** It has said what it wants. */
  attached: z.boolean(),
  /** The epoch of the lease under which it drives; null for one that watches. */
  epoch: z.int().nullable(),
});
type HeldViewer = z.infer<typeof heldViewer>;

/** One window on a terminal. */
export class TerminalViewer {
  readonly socket: WebSocket;
  readonly flow = new ViewerFlow();
  #held: HeldViewer;
  #checkedAt: number;
  #turn: Promise<void> = Promise.resolve();

  private constructor(socket: WebSocket, held: HeldViewer, checkedAt: number) {
    this.socket = socket;
    this.#held = held;
    this.#checkedAt = checkedAt;
  }

  /** A socket that has just been let in. */
  static open(socket: WebSocket, identity: ViewerIdentity, nowMs: number): TerminalViewer {
    const held = { id: crypto.randomUUID(), identity, attached: false, epoch: null };
    const viewer = new TerminalViewer(socket, held, nowMs);
    viewer.#keep();
    return viewer;
  }

  /** A socket that was there before the object slept; null when it is none of a viewer. */
  static wake(socket: WebSocket): TerminalViewer | null {
    const held = readAttachment(socket, heldViewer);
    return held ? new TerminalViewer(socket, held, 0) : null;
  }

  get id(): string {
    return this.#held.id;
  }

  /** Whose window it is. */
  get identity(): ViewerIdentity {
    return this.#held.identity;
  }

  get attached(): boolean {
    return this.#held.attached;
  }

  get epoch(): number | null {
    return this.#held.epoch;
  }

  /** Does what a frame asks once what its earlier frames asked is done: keys come after attaching. */
  inTurn(work: () => Promise<void> | void): Promise<void> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  attach(epoch: number | null): void {
    this.#held = { ...this.#held, attached: true, epoch };
    this.#keep();
  }

  /** Takes the keys from it. */
  demote(): void {
    this.#held = { ...this.#held, epoch: null };
    this.#keep();
    this.send({ type: 'demoted' });
  }

  /** The credential whose life is to be looked at now; null when it was just looked at. */
  credentialToCheck(nowMs: number): string | null {
    const { credential, expiresAt } = this.#held.identity;
    if (expiresAt !== null && expiresAt <= nowMs) return credential;
    if (nowMs - this.#checkedAt < CREDENTIAL_CHECK_MS) return null;
    this.#checkedAt = nowMs;
    return credential;
  }

  send(frame: TerminalFrame): void {
    this.sendRaw(JSON.stringify(frame));
  }

  /** Sends what is encoded already. A socket that is gone says so by its own close event. */
  sendRaw(frame: string | ArrayBuffer | Uint8Array): void {
    try {
      this.socket.send(frame);
    } catch {
      // Closing: nothing more reaches it.
    }
  }

  fail(reason: keyof typeof REFUSALS, code: string, message: string): void {
    this.send({ type: 'failed', code, message });
    this.socket.close(REFUSALS[reason].closeCode, reason);
  }

  #keep(): void {
    this.socket.serializeAttachment(this.#held);
  }
}
