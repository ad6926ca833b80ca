import type { SessionId } from '../../protocol/ids.ts';
import type { ImageRef } from '../../protocol/image.ts';
import type { TurnImage } from '../engines/images.ts';
import type { ImageStore } from '../images/image-store.ts';
import { Lanes } from '../lanes.ts';

/** Gives the images that came, or throws why they did not: asked where they are needed. */
export type Fetched = () => TurnImage[] | undefined;

/**
 * Fetches what instructions come with before they stand in their session's lane: what a person says
 * to an engine meanwhile does not wait for a slow server. Among themselves they keep their order.
 */
export class FetchFirst {
  readonly #images: Pick<ImageStore, 'take'>;
  readonly #lanes = new Lanes<SessionId>();
  readonly #waiting = new Map<SessionId, { count: number; abort: AbortController }>();

  constructor(images: Pick<ImageStore, 'take'>) {
    this.#images = images;
  }

  /** Runs `work` once the images are here, or will not be, after whatever waits for its own. */
  async run<T>(
    sessionId: SessionId,
    images: readonly ImageRef[] | undefined,
    work: (fetched: Fetched) => Promise<T>,
  ): Promise<T> {
    const waiting = this.#waiting.get(sessionId);
    if (!images && !waiting) return work(() => undefined);
    const entry = waiting ?? { count: 0, abort: new AbortController() };
    this.#waiting.set(sessionId, entry);
    entry.count += 1;
    const { signal } = entry.abort;
    // It is in the session's lane before the next of these is, and waits for nothing there.
    const { done } = await this.#lanes.run(sessionId, async () => {
      const fetched = images ? await this.#fetch(sessionId, images, signal) : () => undefined;
      entry.count -= 1;
      if (entry.count === 0) this.#waiting.delete(sessionId);
      return { done: work(fetched) };
    });
    return done;
  }

  /** What is being fetched does not come: its session is told to stop. */
  abort(sessionId: SessionId): void {
    const entry = this.#waiting.get(sessionId);
    if (!entry) return;
    entry.abort.abort(new Error('the session was stopped meanwhile'));
    entry.abort = new AbortController();
  }

  abortAll(): void {
    for (const sessionId of this.#waiting.keys()) this.abort(sessionId);
  }

  async #fetch(
    sessionId: SessionId,
    images: readonly ImageRef[],
    signal: AbortSignal,
  ): Promise<Fetched> {
    try {
      const taken = await this.#images.take(sessionId, images, signal);
      return () => taken;
    } catch (error) {
      return () => {
        throw error;
      };
    }
  }
}
