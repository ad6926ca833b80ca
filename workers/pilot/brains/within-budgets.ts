import type { BrainReply } from '../../../protocol/brain-answer.ts';
import { type ErrorCode, PilothouseError } from '../../../protocol/errors.ts';
import type { TurnGrant } from '../../../protocol/shared-budget.ts';
import type { FeedCalls } from '../../lib/calls.ts';
import { unwrap } from '../../lib/outcome.ts';

/** After these the engine may be at work on the question all the same. */
const UNKNOWN: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'runner_offline',
  'runner_revoked',
  'runner_timeout',
  'internal',
]);

/**
 * Asks a session's own engine within a share of the budgets. What it came to is on the machine's
 * record, which ends what is held; only where nothing was served it is given back here. Throws
 * `model_over_budget`, and what `ask` throws.
 */
export async function askWithinBudgets(
  feed: Pick<FeedCalls, 'brain'>,
  step: number,
  ask: (asked: { step: number; grant?: TurnGrant }) => Promise<BrainReply>,
): Promise<BrainReply> {
  const grant = unwrap(await feed.brain({ do: 'reserveShare', step }));
  const release = async () => unwrap(await feed.brain({ do: 'release', step }));
  try {
    const reply = await ask({ step, ...(grant && { grant }) });
    if (reply.usage.length === 0) await release();
    return reply;
  } catch (error) {
    if (error instanceof PilothouseError && !UNKNOWN.has(error.code)) await release();
    throw error;
  }
}
