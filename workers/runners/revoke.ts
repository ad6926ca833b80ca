import { and, eq, inArray } from 'drizzle-orm';
import type { RunnerId } from '../../protocol/ids.ts';
import { phaseOf, SESSION_STATES } from '../../protocol/session.ts';
import { endRunnerCredentials } from '../access/credentials.ts';
import type { Principal } from '../access/principal.ts';
import type { Database } from '../db/client.ts';
import { sessions } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { settleAll } from '../lib/settle.ts';
import { feedOf, relayOf, terminalOf } from '../lib/stubs.ts';
import { requireRunner } from './register.ts';

const OPEN = SESSION_STATES.filter((state) => ['launching', 'active'].includes(phaseOf(state)));

/**
 * Takes a machine's access back: its tokens and the codes that would pair it again stop working, its
 * link ends, and its runner ends what it runs. Each session of it that is open is ended on record,
 * because nothing more can be known of it, and then whatever it shows of its terminals. Answers how
 * many sessions those are. Done again it changes nothing, and tells what could not be told before.
 * Throws `runner_not_found`.
 */
export async function revokeRunner(
  env: Env,
  database: Database,
  { accountId, actorId }: Principal,
  runnerId: RunnerId,
  nowMs: number,
): Promise<number> {
  await requireRunner(database, accountId, runnerId);
  await endRunnerCredentials(database, accountId, runnerId, nowMs);
  const relay = relayOf(env, accountId, runnerId);
  await relay.revoke();
  const open = await database
    .select({ sessionId: sessions.sessionId })
    .from(sessions)
    .where(
      and(
        eq(sessions.accountId, accountId),
        eq(sessions.runnerId, runnerId),
        inArray(sessions.state, OPEN),
      ),
    );
  // One that ended meanwhile refuses the stop, and needs none.
  const stop = open.map(({ sessionId }) =>
    feedOf(env, accountId, sessionId).request({ action: 'stop', actorId }),
  );
  const hide = open.map(({ sessionId }) => terminalOf(env, accountId, sessionId).revoked());
  await settleAll([...stop, ...hide, relay.endShown()]);
  return open.length;
}
