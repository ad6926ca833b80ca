import type { AccountId, SessionId } from '../../../protocol/ids.ts';
import type { Env } from '../../env.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf } from '../../lib/stubs.ts';

/** Where a session's files are, as what asks its machine is addressed. Throws `session_not_found`. */
export async function machineOf(
  env: Env,
  { accountId }: { accountId: AccountId },
  { sessionId: id }: { sessionId: SessionId },
) {
  const { runnerId } = unwrap(await feedOf(env, accountId, id).readView());
  return { accountId, runnerId, sessionId: id };
}
