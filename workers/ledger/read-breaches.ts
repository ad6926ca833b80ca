import { and, desc, eq, gte, isNull, lt, sql } from 'drizzle-orm';
import type { BreachRow } from '../../protocol/http.ts';
import { type AccountId, actId, type SessionId, turnId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { breaches, breachOverrides, sessions } from '../db/schema.ts';
import { numberOf, type Page, pageFrom, parseCursor } from '../lib/page.ts';

/** A page of breaches, newest first. Throws `bad_request` for a cursor that is not one of ours. */
export async function listBreaches(
  database: Database,
  accountId: AccountId,
  query: {
    cursor?: string | undefined;
    limit: number;
    sessionId?: SessionId | undefined;
    open?: boolean | undefined;
    from?: number | undefined;
    to?: number | undefined;
  },
): Promise<Page<BreachRow>> {
  const [at, id, session] = parseCursor(query.cursor, 3);
  const before =
    at === undefined
      ? undefined
      : sql`(${breaches.at}, ${breaches.actId}, ${breaches.sessionId}) < (${numberOf(at)}, ${id}, ${session})`;
  const rows = await database
    .select({ breach: breaches, word: breachOverrides, title: sessions.title })
    .from(breaches)
    .leftJoin(
      breachOverrides,
      and(
        eq(breachOverrides.sessionId, breaches.sessionId),
        eq(breachOverrides.actId, breaches.actId),
      ),
    )
    .leftJoin(sessions, eq(sessions.sessionId, breaches.sessionId))
    .where(
      and(
        eq(breaches.accountId, accountId),
        query.sessionId ? eq(breaches.sessionId, query.sessionId) : undefined,
        query.open ? isNull(breachOverrides.actId) : undefined,
        query.from === undefined ? undefined : gte(breaches.at, query.from),
        query.to === undefined ? undefined : lt(breaches.at, query.to),
        before,
      ),
    )
    .orderBy(desc(breaches.at), desc(breaches.actId), desc(breaches.sessionId))
    .limit(query.limit + 1);
  const { items, nextCursor } = pageFrom(rows, query.limit, ({ breach }) => [
    breach.at,
    breach.actId,
    breach.sessionId,
  ]);
  return { items: items.map(toBreachRow), nextCursor };
}

function toBreachRow(row: {
  breach: typeof breaches.$inferSelect;
  word: typeof breachOverrides.$inferSelect | null;
  title: string | null;
}): BreachRow {
  const { breach, word, title } = row;
  const { sessionId, engineId, kind, seenBy, command, rule, move, undo, policy, at } = breach;
  return {
    actId: actId.parse(breach.actId),
    turnId: breach.turnId === null ? null : turnId.parse(breach.turnId),
    sessionId,
    sessionTitle: title ?? '',
    engineId,
    kind,
    seenBy,
    command,
    rule,
    move,
    undo,
    policy,
    at,
    override: word && {
      reason: word.reason,
      actorId: word.actorId,
      channel: word.channel,
      at: word.at,
    },
  };
}
