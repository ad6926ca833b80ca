import { messageOf } from '../../failure.ts';
import type { TerminalLimits } from '../../limits/terminal.ts';
import type { Log } from '../../log.ts';
import { sweep, type Sweeping } from './sweep.ts';

/** How often sessions of ours are looked after, in ms. */
const EVERY_MS = 30_000;

/** Looks after the sessions of this runner for as long as it lives, while its limits open tmux. */
export class TerminalKeeper {
  readonly #sweeping: Sweeping;
  readonly #limits: () => TerminalLimits;
  readonly #log: Log;
  #timer: NodeJS.Timeout | null = null;
  #passing: Promise<void> | null = null;

  constructor(sweeping: Sweeping, limits: () => TerminalLimits, log: Log) {
    this.#sweeping = sweeping;
    this.#limits = limits;
    this.#log = log;
  }

  start(everyMs = EVERY_MS): void {
    void this.pass();
    this.#timer = setInterval(() => void this.pass(), everyMs);
    this.#timer.unref();
  }

  /** Once, and never twice at a time. */
  pass(nowMs = Date.now()): Promise<void> {
    this.#passing ??= this.#pass(nowMs).finally(() => (this.#passing = null));
    return this.#passing;
  }

  async #pass(nowMs: number): Promise<void> {
    try {
      const limits = this.#limits();
      if (!limits.backends.includes('tmux')) return;
      for (const { session, care, log } of await sweep(this.#sweeping, limits.keepMs, nowMs))
        if (care === 'close')
          this.#log('info', 'a terminal session that ended is closed', { session, log });
    } catch (error) {
      // What cannot be read is left as it is: a limits file that is wrong closes nothing.
      this.#log('warning', 'terminal sessions could not be looked after', {
        reason: messageOf(error),
      });
    }
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}
