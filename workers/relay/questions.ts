import type { CommandResult } from '../../protocol/command.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { type Outcome, refuse, refuseWith, succeed } from '../lib/outcome.ts';

/**
 * Questions that a caller waits for, in memory alone: whoever asked is gone after a restart, and
 * may ask again.
 */
export class Questions {
  readonly #waiting = new Map<CommandId, (outcome: Outcome<unknown>) => void>();

  /** Waits for the answer to `id`, for `timeoutMs` at most. */
  wait(id: CommandId, timeoutMs: number): Promise<Outcome<unknown>> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        resolve(refuse('runner_timeout'));
      }, timeoutMs);
      this.#waiting.set(id, (outcome) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(outcome);
      });
    });
  }

  /** Hands a result to whoever waits for it. Returns whether anybody did. */
  settle(id: CommandId, result: CommandResult): boolean {
    const resolve = this.#waiting.get(id);
    resolve?.(result.ok ? succeed(result.value) : refuseWith(result.code, result.message));
    return resolve !== undefined;
  }

  /** The link is gone: nobody will answer. */
  abandon(): void {
    for (const resolve of this.#waiting.values()) resolve(refuse('runner_offline'));
  }
}
