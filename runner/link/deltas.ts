import { BLOCK_TEXT_MAX_BYTES, OPEN_BLOCKS_MAX } from '../../protocol/text.ts';
import { type EngineEvent, endsOpenText, type TextDelta } from '../../protocol/engine-event.ts';
import type { SessionId } from '../../protocol/ids.ts';

/**
 * Text on its way to viewers. Keeps the whole of each open block, so that a new connection can
 * begin with a snapshot, and joins what a slow socket has not taken into one delta per block:
 * however slow the link, what waits is never more than the open blocks themselves.
 */
export class DeltaBuffer {
  readonly #blocks = new Map<string, { delta: TextDelta; sentChars: number }>();
  readonly #dirty = new Set<string>();

  get waiting(): boolean {
    return this.#dirty.size > 0;
  }

  push(delta: TextDelta): void {
    const key = keyOf(delta.sessionId, delta.blockId);
    const known = this.#blocks.get(key);
    const before = known?.delta.text.slice(0, delta.offset) ?? '';
    if (before.length < delta.offset || before.length > BLOCK_TEXT_MAX_BYTES) return;
    if (!known) this.#makeRoom(delta.sessionId);
    const whole = { ...delta, offset: 0, text: before + delta.text };
    this.#blocks.set(key, {
      delta: whole,
      sentChars: Math.min(known?.sentChars ?? 0, delta.offset),
    });
    this.#dirty.add(key);
  }

  /** The durable event that makes a block's deltas needless, or ends whatever was open. */
  settle(sessionId: SessionId, event: EngineEvent): void {
    if (event.type === 'text/completed') this.#forget(keyOf(sessionId, event.blockId));
    else if (endsOpenText(event)) for (const key of this.#keysOf(sessionId)) this.#forget(key);
  }

  /** Takes what has not been sent on this connection. */
  take(): TextDelta[] {
    const deltas: TextDelta[] = [];
    for (const key of this.#dirty) {
      const block = this.#blocks.get(key);
      if (!block) continue;
      const text = block.delta.text.slice(block.sentChars);
      deltas.push({ ...block.delta, offset: block.sentChars, text });
      block.sentChars = block.delta.text.length;
    }
    this.#dirty.clear();
    return deltas;
  }

  /** A new connection has seen nothing: the next `take` holds every open block from its start. */
  restart(): void {
    for (const [key, block] of this.#blocks) {
      block.sentChars = 0;
      this.#dirty.add(key);
    }
  }

  #makeRoom(sessionId: SessionId): void {
    const keys = this.#keysOf(sessionId);
    for (const key of keys.slice(0, Math.max(0, keys.length + 1 - OPEN_BLOCKS_MAX)))
      this.#forget(key);
  }

  /** The open blocks of a session, the oldest first. */
  #keysOf(sessionId: SessionId): string[] {
    return [...this.#blocks.keys()].filter((key) => key.startsWith(`${sessionId} `));
  }

  #forget(key: string): void {
    this.#blocks.delete(key);
    this.#dirty.delete(key);
  }
}

function keyOf(sessionId: SessionId, blockId: string): string {
  return `${sessionId} ${blockId}`;
}
