import type { AccountId, RunnerId } from '../../protocol/ids.ts';
import type { Env } from '../env.ts';
import { paneOf } from '../lib/stubs.ts';

/**
 * Ends what a machine shows of its own terminals: its sockets and those of who looks on. Throws when
 * one cannot be told, after all the others were.
 */
export async function endShown(
  env: Pick<Env, 'PANE_TERMINAL'>,
  accountId: AccountId,
  runnerId: RunnerId,
  targets: readonly string[],
): Promise<void> {
  const told = targets.map((target) => paneOf(env, accountId, runnerId, target).revoked());
  const lost = (await Promise.allSettled(told)).find(({ status }) => status === 'rejected');
  if (lost?.status === 'rejected') throw lost.reason;
}
