import type { RunnerRelay } from './relay/runner-relay.ts';
import type { SessionFeed } from './relay/session-feed.ts';

/** What the Worker is given: its storage, its objects, and what the host decides at start. */
export type Env = {
  DB: D1Database;
  RUNNER_RELAY: DurableObjectNamespace<RunnerRelay>;
  SESSION_FEED: DurableObjectNamespace<SessionFeed>;
  /** The console's files. Absent in tests and where no console was built. */
  ASSETS?: Fetcher;
  /** Comma list of `host:port` at which this instance may be addressed; anything else is refused. */
  ALLOWED_HOSTS: string;
  /** Random secret of the embedding host process, new at each start; empty means there is none. */
  HOST_TOKEN: string;
  VERSION: string;
};
