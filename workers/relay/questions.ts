import type { Command, CommandResult } from '../../protocol/command.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { CommandId } from '../../protocol/ids.ts';
import type { RelayQuestion } from '../lib/calls.ts';
import { type Outcome, refuse, refuseWith, succeed } from '../lib/outcome.ts';

/** A question as the command that a machine is sent; `id` is its own, where it names none. Pure. */
export function asCommand(question: RelayQuestion, id: CommandId, nowMs: number): Command {
  const { method, params, sessionId, timeoutMs, recall } = question;
  const deadlineAt = recall ? 0 : nowMs + timeoutMs;
  return { id: question.id ?? id, epoch: 0, sessionId, deadlineAt, method, params } as Command;
}

/**
 * Questions that a caller waits for, in memory alone: whoever asked is gone after a restart, and
 * may ask again.
 */
export class Questions {
  readonly #waiting = new Map<CommandId, Set<Waiter>>();

  /**
   * Waits for the answer to `id`, for `timeoutMs` at most. `lost` is what it means that none came;
   * null says whether the time was up or the machine went. The same may be asked by several.
   */
  wait(id: CommandId, timeoutMs: number, lost: ErrorCode | null = null): Promise<Outcome<unknown>> {
    return new Promise((resolve) => {
      const waiters = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, waiters);
      const waiter: Waiter = (outcome) => {
        clearTimeout(timer);
        waiters.delete(waiter);
        if (waiters.size === 0) this.#waiting.delete(id);
        resolve(outcome === 'gone' ? refuse(lost ?? 'runner_offline') : outcome);
      };
      const timer = setTimeout(() => waiter(refuse(lost ?? 'runner_timeout')), timeoutMs);
      waiters.add(waiter);
    });
  }

  /** Hands a result to whoever waits for it. Returns whether anybody did. */
  settle(id: CommandId, result: CommandResult): boolean {
    const waiters = [...(this.#waiting.get(id) ?? [])];
    const outcome = result.ok ? succeed(result.value) : refuseWith(result.code, result.message);
    for (const resolve of waiters) resolve(outcome);
    return waiters.length > 0;
  }

  /** The link is gone: nobody will answer. */
  abandon(): void {
    for (const waiters of this.#waiting.values()) for (const resolve of waiters) resolve('gone');
  }
}

type Waiter = (outcome: Outcome<unknown> | 'gone') => void;
