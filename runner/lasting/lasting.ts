import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../failure.ts';
import type { Log } from '../log.ts';
import { keyPath, portPath } from './files.ts';
import { controlTokenOf, readOrMakeKey } from './tokens.ts';

/** Longest that the process may take to open, and how often it is seen after, in ms. */
const START_MS = 10_000;
const LOOK_MS = 30_000;
const ASK_MS = 5_000;

/** Variables that say how the machine reaches others, and whom it trusts; nothing else is its business. */
const NEEDED =
  /^(PATH|HOME|TMPDIR|LANG|NODE_EXTRA_CA_CERTS|NODE_USE_SYSTEM_CA|SSL_CERT_(FILE|DIR)|(https?|no|all)_proxy)$/i;

export type LastingOptions = {
  /** What it is called in the log, such as "model gate". */
  name: string;
  /** Its program, which is given its directory. */
  main: URL;
  /** Its own directory. */
  root: string;
  env: NodeJS.ProcessEnv;
  log: Log;
  /** Tells a process that was started again what the one before knew. */
  again(): Promise<void>;
};

/** A process that outlives the runner: found again or started, and asked over loopback. */
export class Lasting {
  readonly key: Buffer;
  readonly #options: LastingOptions;
  #opening: Promise<void> | null = null;
  #looking: NodeJS.Timeout | null = null;

  constructor(options: LastingOptions) {
    mkdirSync(options.root, { recursive: true, mode: 0o700 });
    this.#options = options;
    this.key = readOrMakeKey(keyPath(options.root));
  }

  /** Where it listens; 0 where it never did. */
  get port(): number {
    const path = portPath(this.#options.root);
    return existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
  }

  /** The process of an earlier runner goes on; where there is none, one is started. */
  async running(): Promise<void> {
    this.#opening ??= this.#find().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    await this.#opening;
    this.#looking ??= setInterval(() => void this.#look(), LOOK_MS).unref();
  }

  /** Whether it did what it was asked. Throws where it is not to be reached. */
  async ask(method: string, path: string, body?: unknown): Promise<boolean> {
    const response = await fetch(`http://127.0.0.1:${this.port}/control/${path}`, {
      method,
      headers: { authorization: `Bearer ${controlTokenOf(this.key)}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ASK_MS),
    });
    return response.ok;
  }

  /** Has it running, and tells it. Throws where it did not take what it was told. */
  async tell(method: string, path: string, body?: unknown): Promise<void> {
    await this.running();
    const took = await this.ask(method, path, body).catch(async () => {
      // It is gone since it was seen last.
      this.#opening = null;
      await this.running();
      await this.#options.again();
      return this.ask(method, path, body);
    });
    if (!took) throw new Error(`the ${this.#options.name} did not take the session`);
  }

  /** What became of something that nobody waits for. */
  failed(error: unknown): void {
    const { log, name } = this.#options;
    log('error', `the ${name} could not be told`, { reason: messageOf(error) });
  }

  /** Ends it: no engine of this runner is left. */
  async close(): Promise<void> {
    if (this.#looking) clearInterval(this.#looking);
    this.#looking = null;
    if (this.#opening) await this.ask('DELETE', '').catch(() => undefined);
    this.#opening = null;
  }

  async #find(): Promise<void> {
    const { root, env: machine, main, name } = this.#options;
    if (this.port > 0 && (await this.ask('GET', '').catch(() => false))) return;
    const env = Object.fromEntries(Object.entries(machine).filter(([each]) => NEEDED.test(each)));
    const child = spawn(process.execPath, [fileURLToPath(main), root], {
      env,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: true,
    });
    const listening = new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`the ${name} ended with status ${code}`)));
    });
    const late = delay(START_MS, null, { ref: false }).then(() => {
      throw new Error(`the ${name} did not open in time`);
    });
    await Promise.race([listening, late]);
    child.unref();
  }

  /** One that is gone is started again, and told of every session. */
  async #look(): Promise<void> {
    const { log, name, again } = this.#options;
    try {
      if (await this.ask('GET', '').catch(() => false)) return;
      log('warning', `the ${name} was gone and is started again`, {});
      this.#opening = null;
      await this.running();
      await again();
    } catch (error) {
      this.failed(error);
    }
  }
}
