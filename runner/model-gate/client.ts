import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SessionId } from '../../protocol/ids.ts';
import { messageOf } from '../failure.ts';
import type { Log } from '../log.ts';
import { journalPath, keyPath, portPath } from './files.ts';
import { readCalls, type JournalEntry } from './journal.ts';
import type { GatedSession } from './session.ts';
import { controlTokenOf, placeholderOf, readOrMakeKey } from './tokens.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Longest that a gate may take to open, and how often it is seen after, in ms. */
const START_MS = 10_000;
const LOOK_MS = 30_000;
const ASK_MS = 5_000;

/** Variables that say how the machine reaches others, and whom it trusts; nothing else is the gate's business. */
const NEEDED =
  /^(PATH|HOME|TMPDIR|LANG|NODE_EXTRA_CA_CERTS|NODE_USE_SYSTEM_CA|SSL_CERT_(FILE|DIR)|(https?|no|all)_proxy)$/i;

/** The runner's side of the model gate: has it running, and tells it of sessions. */
export class ModelGateClient {
  readonly #root: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #log: Log;
  readonly #key: Buffer;
  readonly #sessions = new Map<SessionId, GatedSession>();
  #opening: Promise<void> | null = null;
  #looking: NodeJS.Timeout | null = null;

  constructor(root: string, env: NodeJS.ProcessEnv, log: Log) {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    this.#root = root;
    this.#env = env;
    this.#log = log;
    this.#key = readOrMakeKey(keyPath(root));
  }

  /** What a session has in the place of the key. */
  placeholderOf(sessionId: SessionId): string {
    return placeholderOf(this.#key, sessionId);
  }

  /** Lets a session call through the gate, or changes how far. Returns where the session finds it. */
  async open(sessionId: SessionId, session: GatedSession): Promise<string> {
    this.#sessions.set(sessionId, session);
    await this.#running();
    await this.#tell(sessionId, session);
    this.#looking ??= setInterval(() => void this.#look(), LOOK_MS).unref();
    return `http://127.0.0.1:${this.#port}/s/${sessionId}`;
  }

  /** Changes how far a session may go; nothing, for one that has no gate. */
  grant(sessionId: SessionId, grantMicroUsd: number | null): void {
    const known = this.#sessions.get(sessionId);
    if (!known || known.grantMicroUsd === grantMicroUsd) return;
    const session = { ...known, grantMicroUsd };
    this.#sessions.set(sessionId, session);
    this.#tell(sessionId, session).catch((error: unknown) => this.#failed(error));
  }

  readCalls(sessionId: SessionId, offset: number): { entries: JournalEntry[]; offset: number } {
    return readCalls(journalPath(this.#root, sessionId), offset);
  }

  leave(sessionId: SessionId): void {
    if (!this.#sessions.delete(sessionId)) return;
    this.#ask('DELETE', sessionId).catch((error: unknown) => this.#failed(error));
  }

  /** Ends the gate: no engine of this runner is left. */
  async close(): Promise<void> {
    if (this.#looking) clearInterval(this.#looking);
    this.#looking = null;
    if (this.#opening) await this.#ask('DELETE', '').catch(() => undefined);
    this.#opening = null;
  }

  get #port(): number {
    const path = portPath(this.#root);
    return existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
  }

  /** The gate of an earlier runner goes on; where there is none, one is started. */
  async #running(): Promise<void> {
    this.#opening ??= this.#find().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    await this.#opening;
  }

  async #find(): Promise<void> {
    if (this.#port > 0 && (await this.#ask('GET', '').catch(() => false))) return;
    const env = Object.fromEntries(Object.entries(this.#env).filter(([name]) => NEEDED.test(name)));
    const child = spawn(process.execPath, [MAIN, this.#root], {
      env,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: true,
    });
    const listening = new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`the model gate ended with status ${code}`)));
    });
    const late = delay(START_MS, null, { ref: false }).then(() => {
      throw new Error('the model gate did not open in time');
    });
    await Promise.race([listening, late]);
    child.unref();
  }

  /** A gate that is gone is started again, and told of every session. */
  async #look(): Promise<void> {
    try {
      if (await this.#ask('GET', '').catch(() => false)) return;
      this.#log('warning', 'the model gate was gone and is started again', {});
      this.#opening = null;
      await this.#running();
      for (const [sessionId, session] of this.#sessions) await this.#tell(sessionId, session);
    } catch (error) {
      this.#failed(error);
    }
  }

  async #tell(sessionId: SessionId, session: GatedSession): Promise<void> {
    if (!(await this.#ask('PUT', sessionId, session)))
      throw new Error('the model gate did not take the session');
  }

  async #ask(method: string, sessionId: string, body?: GatedSession): Promise<boolean> {
    const response = await fetch(`http://127.0.0.1:${this.#port}/control/${sessionId}`, {
      method,
      headers: { authorization: `Bearer ${controlTokenOf(this.#key)}` },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ASK_MS),
    });
    return response.ok;
  }

  #failed(error: unknown): void {
    this.#log('error', 'the model gate could not be told', { reason: messageOf(error) });
  }
}
