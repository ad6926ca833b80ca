import type { AccountId, RunnerId } from '../../protocol/ids.ts';
import type { RelayFrame, RunnerFrame } from '../../protocol/runner-frames.ts';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { takeQuestion } from '../gate/question.ts';
import { appendDriveReport } from '../ledger/drive-reports.ts';

export type Told = Extract<RunnerFrame, { type: 'driveReport' | 'paneQuestion' }>;

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
    case 'paneQuestion':
      return { type: 'questionKept', kept: await takeQuestion(env, from, told.question) };
    default:
      return told satisfies never;
  }
}
