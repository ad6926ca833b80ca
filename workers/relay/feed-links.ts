import type { TextDelta } from '../../protocol/engine-event.ts';
import type { AccountId, RunnerId, SessionId } from '../../protocol/ids.ts';
import type { Presence } from '../../protocol/machine.ts';
import type { Env } from '../env.ts';
import type { FeedCalls } from '../lib/calls.ts';
import { feedOf } from '../lib/stubs.ts';

/** The feeds that a relay talks to. A feed that failed is looked up anew the next time. */
export class FeedLinks {
  readonly #env: Env;
  readonly #accountId: AccountId;
  readonly #failed: (operation: string, sessionId: SessionId, fault: unknown) => void;
  readonly #held = new Map<SessionId, FeedCalls>();

  constructor(
    env: Env,
    accountId: AccountId,
    failed: (operation: string, sessionId: SessionId, fault: unknown) => void,
  ) {
    this.#env = env;
    this.#accountId = accountId;
    this.#failed = failed;
  }

  of(sessionId: SessionId): FeedCalls {
    const held = this.#held.get(sessionId) ?? feedOf(this.#env, this.#accountId, sessionId);
    this.#held.set(sessionId, held);
    return held;
  }

  drop(sessionId: SessionId): void {
    this.#held.delete(sessionId);
  }

  /** Calls a feed. Its failure is told, and costs nothing but this call: undefined. */
  async attempt<T>(
    operation: string,
    sessionId: SessionId,
    call: (feed: FeedCalls) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await call(this.of(sessionId));
    } catch (fault) {
      this.drop(sessionId);
      this.#failed(operation, sessionId, fault);
      return undefined;
    }
  }

  /** Shows text on its way to whoever watches; each part to the feed of its session. */
  async showDeltas(runnerId: RunnerId, deltas: readonly TextDelta[]): Promise<void> {
    const groups = Map.groupBy(deltas, ({ sessionId }) => sessionId);
    await Promise.all(
      [...groups].map(([sessionId, group]) =>
        this.attempt('relay.showDeltas', sessionId, (feed) => feed.showDeltas(runnerId, group)),
      ),
    );
  }

  /** Tells sessions that are watched whether their machine is there. */
  async showPresence(sessionIds: readonly SessionId[], presence: Presence): Promise<void> {
    await Promise.all(
      sessionIds.map((sessionId) =>
        this.attempt('relay.showPresence', sessionId, (feed) => feed.showPresence(presence)),
      ),
    );
  }
}
