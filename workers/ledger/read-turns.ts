import { sql } from 'drizzle-orm';
import { type AccountId, type SessionId, turnId } from '../../protocol/ids.ts';
import { GROWTH_TURNS, type SessionReads } from '../../protocol/usage-views.ts';
import type { Database } from '../db/client.ts';
import { usageEntries } from '../db/schema.ts';

type TurnRow = { sessionId: SessionId; turnId: string; readTokens: number };

/**
 * What the last turns of some sessions read, in the order of the turns. What an engine spends
 * outside any turn is no turn's; a session that told nothing is not in it.
 */
export async function listReads(
  database: Database,
  accountId: AccountId,
  sessionIds: readonly SessionId[],
): Promise<SessionReads[]> {
  const rows = await database.all<TurnRow>(sql`
    SELECT session_id AS sessionId, turn_id AS turnId, read AS readTokens FROM (
      SELECT session_id, turn_id, began, read,
        row_number() OVER (PARTITION BY session_id ORDER BY began DESC, turn_id DESC) AS back
      FROM (
        SELECT session_id, turn_id, min(position) AS began,
          sum(input_tokens + cache_read_tokens + cache_write_tokens) AS read
        FROM ${usageEntries}
        WHERE account_id = ${accountId} AND turn_id <> ''
          AND session_id IN (SELECT value FROM json_each(${JSON.stringify(sessionIds)}))
        GROUP BY session_id, turn_id
      )
    ) WHERE back <= ${GROWTH_TURNS} ORDER BY session_id, began, turn_id`);
  const sessions = new Map<SessionId, SessionReads>();
  for (const { sessionId, turnId: turn, readTokens } of rows) {
    const turns = sessions.get(sessionId)?.turns ?? [];
    turns.push({ turnId: turnId.parse(turn), readTokens });
    sessions.set(sessionId, { sessionId, turns });
  }
  return [...sessions.values()];
}
