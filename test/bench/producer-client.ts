import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Content } from './lines.ts';

export type Target = { kind: 'spool'; path: string } | { kind: 'bare'; url: string };

/**
 * One run of `count` marks from 0, whose name is in no other run. `everyMs` is the pace: 0 is as
 * fast as the other side takes it.
 */
export type Play = {
  run: string;
  target: Target;
  content: Content;
  count: number;
  everyMs: number;
};

/** When the first line was written and when the last had been, in ms of the monotonic clock. */
export type Played = { startedAt: number; endedAt: number };

/** The process that plays the engine, and the peer at the head of a bare relay. */
export class Producer {
  readonly #child: ChildProcess;

  constructor() {
    this.#child = fork(fileURLToPath(new URL('./producer.ts', import.meta.url)));
  }

  /** Plays to the end. Throws when the process ended instead. */
  async play(asked: Play): Promise<Played> {
    const gone = new AbortController();
    const ended = once(this.#child, 'exit', { signal: gone.signal }).then(([exitCode]) => {
      throw new Error(`the producer ended by itself with ${exitCode}`);
    });
    ended.catch(() => undefined);
    const answer = once(this.#child, 'message', { signal: gone.signal });
    this.#child.send(asked);
    try {
      const [played] = await Promise.race([answer, ended]);
      return played as Played;
    } finally {
      gone.abort();
      answer.catch(() => undefined);
    }
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}
