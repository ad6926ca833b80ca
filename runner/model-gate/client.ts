import type { SessionId } from '../../protocol/ids.ts';
import { Lasting } from '../lasting/lasting.ts';
import type { Log } from '../log.ts';
import { journalPath } from './files.ts';
import { readCalls, type JournalEntry } from './journal.ts';
import type { GatedSession } from './session.ts';
import { placeholderOf } from './tokens.ts';

/** The runner's side of the model gate: has it running, and tells it of sessions. */
export class ModelGateClient {
  readonly #root: string;
  readonly #gate: Lasting;
  readonly #sessions = new Map<SessionId, GatedSession>();

  constructor(root: string, env: NodeJS.ProcessEnv, log: Log) {
    this.#root = root;
    this.#gate = new Lasting({
      name: 'model gate',
      main: new URL('./main.ts', import.meta.url),
      root,
      env,
      log,
      again: async () => {
        for (const [sessionId, session] of this.#sessions)
          await this.#gate.tell('PUT', sessionId, session);
      },
    });
  }

  /** What a session has in the place of the key. */
  placeholderOf(sessionId: SessionId): string {
    return placeholderOf(this.#gate.key, sessionId);
  }

  /** Lets a session call through the gate, or changes how far. Returns where the session finds it. */
  async open(sessionId: SessionId, session: GatedSession): Promise<string> {
    this.#sessions.set(sessionId, session);
    await this.#gate.tell('PUT', sessionId, session);
    return `http://127.0.0.1:${this.#gate.port}/s/${sessionId}`;
  }

  /** Changes how far a session may go; nothing, for one that has no gate. */
  grant(sessionId: SessionId, grantMicroUsd: number | null): void {
    const known = this.#sessions.get(sessionId);
    if (!known || known.grantMicroUsd === grantMicroUsd) return;
    const session = { ...known, grantMicroUsd };
    this.#sessions.set(sessionId, session);
    this.#gate.tell('PUT', sessionId, session).catch((error: unknown) => this.#gate.failed(error));
  }

  readCalls(sessionId: SessionId, offset: number): { entries: JournalEntry[]; offset: number } {
    return readCalls(journalPath(this.#root, sessionId), offset);
  }

  leave(sessionId: SessionId): void {
    if (!this.#sessions.delete(sessionId)) return;
    this.#gate.ask('DELETE', sessionId).catch((error: unknown) => this.#gate.failed(error));
  }

  /** Ends the gate: no engine of this runner is left. */
  close(): Promise<void> {
    return this.#gate.close();
  }
}
