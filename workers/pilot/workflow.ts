import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { PilotParams } from '../lib/calls.ts';
import { describeFault, log } from '../lib/logger.ts';
import { advance } from './advance.ts';
import { lookAfter } from './drivers.ts';
import { portsOf } from './ports.ts';
import { applyEvent, readRun } from './store.ts';

/** Rounds of one instance: far below what an instance may have of steps, then another one follows. */
const ROUNDS = 2_000;

/** A round that fails is tried again; what it does is recorded, so that trying again is harmless. */
const ROUND = {
  retries: { limit: 5, delay: 1_000, backoff: 'exponential' },
  timeout: '90 minutes',
} as const;

/**
 * Drives one Pilot run: does what the record says, waits where it says so. It holds no truth of
 * its own, so that another instance can go on where this one ends.
 */
export class PilotWorkflow extends WorkflowEntrypoint<Env, PilotParams> {
  override async run(
    { payload }: Readonly<WorkflowEvent<PilotParams>>,
    step: WorkflowStep,
  ): Promise<void> {
    const { sessionId, generation } = payload;
    const ports = portsOf(this.env, payload.accountId);
    for (let round = 0; round < ROUNDS; round++) {
      const key = `wait-${generation}-${round}`;
      try {
        const next = await step.do(`advance ${round}`, ROUND, () => advance(ports, sessionId, key));
        if (next.kind === 'over') return;
        if (next.kind === 'again') continue;
        // Woken or not: the next round looks for itself.
        await step
          .waitForEvent(`wait ${round}`, { type: next.key, timeout: Math.max(1_000, next.forMs) })
          .catch(() => undefined);
      } catch (fault) {
        log('error', 'pilot.advance', { sessionId, fault: describeFault(fault) });
        await step.do(`tell ${round}`, () => this.#tell(payload, describeFault(fault)));
      }
    }
    await step.do('hand on', async () => {
      const database = openDatabase(this.env.DB);
      const run = await readRun(database, sessionId);
      if (run) await lookAfter(this.env, database, run);
    });
  }

  /** A fault that stays becomes a question to a person, with what is known of it. */
  async #tell({ sessionId }: PilotParams, message: string): Promise<void> {
    const database = openDatabase(this.env.DB);
    const run = await readRun(database, sessionId);
    if (!run?.state) return;
    const event = { type: 'broke', at: Date.now(), message } as const;
    await applyEvent(database, { ...run, state: run.state }, event);
  }
}
