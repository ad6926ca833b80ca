import { DurableObject } from 'cloudflare:workers';
import { type Database, openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { SweeperCalls } from '../lib/calls.ts';
import { describeFault, log } from '../lib/logger.ts';
import { lookAfter } from './drivers.ts';
import { type Driven, listUnfinished, renewLease } from './store.ts';

/** Between two rounds while any run is unfinished, in ms. An overdue round comes at once at boot. */
const ROUND_MS = 10_000;
/** How late a driver may be before it is looked after, in ms. */
const LATE_MS = 30_000;
const PAGE = 200;

/**
 * Whether this process has looked after all runs since it began. Of the process and not of the
 * object: an object sleeps and wakes, while the drivers of a process end with it alone.
 */
const boot = { done: false };

/**
 * Looks after the drivers of Pilot runs. After a crash the local runtime resumes none of them by
 * itself, so that the first round of a process wakes them all, and later ones those that are late.
 */
export class PilotSweeper extends DurableObject<Env> implements SweeperCalls {
  async watch(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null)
      await this.ctx.storage.setAlarm(Date.now() + ROUND_MS);
  }

  async wake(): Promise<void> {
    if (boot.done) return;
    const [any] = await listUnfinished(openDatabase(this.env.DB), '', 1, null);
    if (any) await this.ctx.storage.setAlarm(Date.now());
  }

  override async alarm(): Promise<void> {
    // Set first: a round that fails, or dies, is followed by another one.
    await this.ctx.storage.setAlarm(Date.now() + ROUND_MS);
    const database = openDatabase(this.env.DB);
    const dueBy = boot.done ? Date.now() - LATE_MS : null;
    let after = '';
    for (;;) {
      const page = await listUnfinished(database, after, PAGE, dueBy);
      for (const run of page) await this.#lookAfter(database, run, dueBy);
      after = page.at(-1)?.sessionId ?? after;
      if (page.length < PAGE) break;
    }
    boot.done = true;
    const [any] = await listUnfinished(database, '', 1, null);
    if (!any) await this.ctx.storage.deleteAlarm();
  }

  /** One that could not be looked after is looked after again in the next round. */
  async #lookAfter(database: Database, run: Driven, lateAt: number | null): Promise<void> {
    const { sessionId } = run;
    try {
      await lookAfter(this.env, database, run);
      if (lateAt !== null) await renewLease(database, sessionId, { lateAt, nowMs: Date.now() });
    } catch (fault) {
      log('warn', 'pilot.lookAfter', { sessionId, fault: describeFault(fault) });
    }
  }
}
