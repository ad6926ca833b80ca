import type { PilotParams } from './lib/calls.ts';

/** What the Worker is given: its storage, its objects, and what the host decides at start. */
export type Env = {
  DB: D1Database;
  /** Reached through `lib/stubs.ts`, which knows what may be asked of each. */
  RUNNER_RELAY: DurableObjectNamespace;
  SESSION_FEED: DurableObjectNamespace;
  SESSION_TERMINAL: DurableObjectNamespace;
  SESSION_IMAGES: DurableObjectNamespace;
  PANE_TERMINAL: DurableObjectNamespace;
  PILOT_SWEEPER: DurableObjectNamespace;
  GITHUB_COURIER: DurableObjectNamespace;
  BUDGET_BOOK: DurableObjectNamespace;
  OPERATOR_CHAT: DurableObjectNamespace;
  PUSH_BELL: DurableObjectNamespace;
  /** The drivers of Pilot runs, one instance per run. */
  PILOT: Workflow<PilotParams>;
  /** The console's files. Absent in tests and where no console was built. */
  ASSETS?: Fetcher;
  /** Reaches public addresses alone. Absent where the platform's own `fetch` does no more. */
  OUTSIDE?: Fetcher;
  /** Comma list of `host:port` at which this instance may be addressed; anything else is refused. */
  ALLOWED_HOSTS: string;
  /** Random secret of the embedding host process, new at each start; absent or empty is none. */
  HOST_TOKEN?: string;
  /** Encrypts keys of brains and tokens of GitHub at rest. Absent: none can be kept. */
  BRAIN_KEYS_SECRET?: string;
  VERSION: string;
  /** How commands are run on the host's machine. Absent where no host started the Worker. */
  COMMAND_NAME?: string;
};
