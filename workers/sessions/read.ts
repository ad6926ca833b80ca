import { and, desc, eq, lt, or, sql } from 'drizzle-orm';
import type { SessionDetail, SessionSummary } from '../../protocol/http.ts';
import type { PilotStanding } from '../../protocol/pilot-view.ts';
import type { AccountId, RunnerId, SessionId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { pilotRuns, runners, sessions } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { sessionRow } from '../ledger/rows.ts';
import { unwrap } from '../lib/outcome.ts';
import { numberOf, type Page, pageFrom, parseCursor } from '../lib/page.ts';
import { feedOf } from '../lib/stubs.ts';

type SessionRow = typeof sessions.$inferSelect;

const PILOT = {
  step: pilotRuns.step,
  status: pilotRuns.status,
  hold: sql<PilotStanding['hold']>`json_extract(${pilotRuns.state}, '$.hold')`,
  reason: pilotRuns.reason,
};

/** A page of an account's sessions, newest first. */
export async function listSessions(
  database: Database,
  accountId: AccountId,
  query: { cursor?: string | undefined; limit: number; runnerId?: RunnerId | undefined },
): Promise<Page<SessionSummary>> {
  const [createdAt, sessionId] = parseCursor(query.cursor, 2);
  const before =
    createdAt === undefined
      ? undefined
      : or(
          lt(sessions.createdAt, numberOf(createdAt)),
          and(
            eq(sessions.createdAt, numberOf(createdAt)),
            lt(sessions.sessionId, sessionId as SessionId),
          ),
        );
  const rows = await database
    .select({ session: sessions, runnerName: runners.name, pilot: PILOT })
    .from(sessions)
    .leftJoin(runners, eq(runners.runnerId, sessions.runnerId))
    .leftJoin(pilotRuns, eq(pilotRuns.sessionId, sessions.sessionId))
    .where(
      and(
        eq(sessions.accountId, accountId),
        query.runnerId ? eq(sessions.runnerId, query.runnerId) : undefined,
        before,
      ),
    )
    .orderBy(desc(sessions.createdAt), desc(sessions.sessionId))
    .limit(query.limit + 1);
  const { items, nextCursor } = pageFrom(rows, query.limit, ({ session }) => [
    session.createdAt,
    session.sessionId,
  ]);
  return {
    items: items.map(({ session, runnerName, pilot }) =>
      summarise(session, runnerName ?? '', pilot),
    ),
    nextCursor,
  };
}

/** One session, from its feed, which owns the state. Throws `session_not_found`. */
export async function readSession(
  env: Env,
  database: Database,
  accountId: AccountId,
  sessionId: SessionId,
): Promise<SessionDetail> {
  const { runnerId, view } = unwrap(await feedOf(env, accountId, sessionId).readView());
  const names = await database
    .select({ name: runners.name })
    .from(runners)
    .where(eq(runners.runnerId, runnerId));
  const row = sessionRow({ accountId, actorId: view.actorId, sessionId, runnerId }, view, 0);
  const [pilot = null] = view.launch.pilot
    ? await database.select(PILOT).from(pilotRuns).where(eq(pilotRuns.sessionId, sessionId))
    : [];
  return { summary: summarise(row, names[0]?.name ?? '', pilot), view };
}

function summarise(
  row: SessionRow,
  runnerName: string,
  pilot: PilotStanding | null,
): SessionSummary {
  return {
    sessionId: row.sessionId,
    runnerId: row.runnerId,
    runnerName,
    title: row.title,
    engineId: row.engineId,
    rehearsal: row.rehearsal,
    directory: row.directory,
    grade: row.grade,
    state: row.state,
    reason: row.reason,
    dismissedAt: row.dismissedAt,
    pendingApprovals: row.pendingApprovals,
    approvalExpiredAt: row.approvalExpiredAt,
    pilot,
    spend: row.spend,
    acts: row.acts,
    breaches: row.breaches,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
