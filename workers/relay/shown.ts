import type { AccountId, RunnerId } from '../../protocol/ids.ts';
import type { Env } from '../env.ts';
import { settleAll } from '../lib/settle.ts';
import { paneOf } from '../lib/stubs.ts';
import type { RelayStore } from './relay-store.ts';

/**
 * Ends what a machine shows of its own terminals: its sockets and those of who looks on. Throws when
 * one cannot be told, after all the others were; asked again it tells those that are left.
 */
export async function endShown(
  env: Pick<Env, 'PANE_TERMINAL'>,
  accountId: AccountId,
  runnerId: RunnerId,
  store: Pick<RelayStore, 'listShown' | 'forgetShown'>,
): Promise<void> {
  const end = async (target: string) => {
    await paneOf(env, accountId, runnerId, target).revoked();
    store.forgetShown(target);
  };
  await settleAll(store.listShown().map(end));
}
