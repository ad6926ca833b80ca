import type { DriveWitness } from '../../protocol/drive-witness.ts';
import type { AccountId, RunnerId } from '../../protocol/ids.ts';
import type { RelayFrame, RunnerFrame } from '../../protocol/runner-frames.ts';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { takeQuestion } from '../gate/question.ts';
import { appendDriveReport } from '../ledger/drive-reports.ts';
import { appendDriveWitness } from '../ledger/drive-witness.ts';
import { describeFault, log } from '../lib/logger.ts';
import { bellOf } from '../lib/stubs.ts';

export type Told = Extract<RunnerFrame, { type: 'driveReport' | 'driveWitness' | 'paneQuestion' }>;

/**
 * Keeps what a machine tells of the programs in its terminals, and makes the frame that says so.
 * What throws is not confirmed, and comes again.
 */
export async function keepTold(
  env: Env,
  from: { accountId: AccountId; runnerId: RunnerId },
  told: Told,
): Promise<RelayFrame> {
  switch (told.type) {
    case 'driveReport':
      await appendDriveReport(openDatabase(env.DB), from, told.report);
      return { type: 'driveReported', id: told.report.id };
    case 'driveWitness': {
      const { report } = told;
      const kept = await appendDriveWitness(openDatabase(env.DB), from, report);
      if (kept && report.breaches.length > 0) await ring(env, from.accountId, report);
      return { type: 'driveWitnessed', id: report.id };
    }
    case 'paneQuestion':
      return { type: 'questionKept', kept: await takeQuestion(env, from, told.question) };
    default:
      return told satisfies never;
  }
}

/** Who cannot be told hinders no record: what happened stands in the console. */
async function ring(env: Env, accountId: AccountId, report: DriveWitness): Promise<void> {
  const { instanceId, callId } = report.drive;
  const tag = `${instanceId} breach ${callId}`;
  await bellOf(env, accountId)
    .ring([{ kind: 'halted', sessionId: null, instanceId, tag }])
    .catch((fault: unknown) =>
      log('warn', 'relay.ring', { instanceId, fault: describeFault(fault) }),
    );
}
