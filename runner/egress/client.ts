import type { SessionId } from '../../protocol/ids.ts';
import { Lasting } from '../lasting/lasting.ts';
import type { Log } from '../log.ts';
import { portsPath, refusedPath, sessionPath } from './files.ts';
import { readRefused } from './refused.ts';
import type { NetworkRules } from './rules.ts';

/** The runner's side of the egress proxy: has it running, and tells it what sessions reach. */
export class EgressClient {
  readonly #root: string;
  readonly #proxy: Lasting;
  readonly #sessions = new Set<SessionId>();

  constructor(root: string, env: NodeJS.ProcessEnv, log: Log) {
    this.#root = root;
    this.#proxy = new Lasting({
      name: 'egress proxy',
      main: new URL('./main.ts', import.meta.url),
      root,
      env,
      log,
      // It keeps what it was told.
      again: () => Promise.resolve(),
    });
  }

  /**
   * Opens the network of a closed session, or changes what it reaches. Returns the directory that
   * its seal shows to it.
   */
  open(sessionId: SessionId, rules: NetworkRules): Promise<string> {
    return this.#tell('PUT', sessionId, rules);
  }

  /** Lets a session reach more, beside what it reaches. Returns the same directory. */
  add(sessionId: SessionId, rules: NetworkRules): Promise<string> {
    return this.#tell('PATCH', sessionId, rules);
  }

  async #tell(method: string, sessionId: SessionId, rules: NetworkRules): Promise<string> {
    this.#sessions.add(sessionId);
    await this.#proxy.tell(method, sessionId, rules);
    return portsPath(sessionPath(this.#root, sessionId));
  }

  /** Hosts that a session did not reach, as `name:port`, each once. */
  readRefused(sessionId: SessionId): string[] {
    return readRefused(refusedPath(sessionPath(this.#root, sessionId)));
  }

  leave(sessionId: SessionId): void {
    if (!this.#sessions.delete(sessionId)) return;
    this.#proxy.ask('DELETE', sessionId).catch((error: unknown) => this.#proxy.failed(error));
  }

  /** Ends the proxy: no engine of this runner is left. */
  close(): Promise<void> {
    return this.#proxy.close();
  }
}
