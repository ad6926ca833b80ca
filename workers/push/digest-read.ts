import { and, count, desc, eq, gte, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { ActKind } from '../../protocol/act.ts';
import { type Digest, DIGEST_SESSIONS } from '../../protocol/digest.ts';
import type { AccountId } from '../../protocol/ids.ts';
import type { SessionState } from '../../protocol/session.ts';
import type { Database } from '../db/client.ts';
import { acts, breaches, drives, pilotRuns, sessions } from '../db/schema.ts';
import { listRequests } from '../gate/read.ts';
import { selectActs } from '../ledger/acts-filter.ts';
import { summariseUsage } from '../ledger/summarise-usage.ts';

/** At rest without a fault. What a person stopped themselves is no news to them. */
const WELL: SessionState[] = ['idle', 'parked', 'finished'];
const FAILED: SessionState[] = [
  'failed',
  'lost',
  'failed_to_start',
  'bootstrap_stalled',
  'provider_failed',
];
const WAITING: SessionState[] = ['awaiting_approval', 'awaiting_human', 'blocked', 'halted'];

type Range = { from: number; to: number };

/** What happened in a range of time (Unix ms, its end excluded), and what waits now, from the ledgers. */
export async function readDigest(
  database: Database,
  accountId: AccountId,
  { from, to }: Range,
): Promise<Digest> {
  const within = and(gte(sessions.updatedAt, from), lt(sessions.updatedAt, to));
  const waits = or(
    sql`${sessions.pendingApprovals} > 0`,
    sql`${sessions.breaches} > 0`,
    inArray(sessions.state, WAITING),
    asksPilot,
  );
  const read = (condition: SQL | undefined) => readSessions(database, accountId, condition);
  const [finished, failed, waiting, usage, done, broken, driven, calls] = await Promise.all([
    read(and(within, inArray(sessions.state, WELL), sql`NOT ${waits}`)),
    read(and(within, inArray(sessions.state, FAILED), isNull(sessions.dismissedAt))),
    read(and(waits, isNull(sessions.dismissedAt))),
    summariseUsage(database, accountId, { by: 'payer', from, to, limit: 1 }),
    countActs(database, accountId, { from, to }),
    database
      .select({ of: count() })
      .from(breaches)
      .where(and(eq(breaches.accountId, accountId), gte(breaches.at, from), lt(breaches.at, to))),
    database
      .select({ of: count() })
      .from(drives)
      .where(and(eq(drives.accountId, accountId), gte(drives.at, from), lt(drives.at, to))),
    listRequests(database, accountId, to),
  ]);
  return {
    from,
    to,
    finished,
    failed,
    spend: usage.totals,
    unmeteredDrives: driven[0]?.of ?? 0,
    acts: done,
    breaches: broken[0]?.of ?? 0,
    waiting,
    calls: calls.length,
  };
}

/** Whether the session's Pilot wants an answer, or a yes to its proposal. */
const asksPilot = sql`EXISTS (
  SELECT 1 FROM ${pilotRuns} AS run WHERE run.session_id = ${sessions.sessionId}
    AND run.status = 'waiting_person'
    AND json_extract(run.state, '$.hold') IN ('proposal', 'question')
)`;

async function readSessions(
  database: Database,
  accountId: AccountId,
  condition: SQL | undefined,
): Promise<Digest['finished']> {
  const where = and(eq(sessions.accountId, accountId), condition);
  const { sessionId, title, state } = sessions;
  const [all, items] = await Promise.all([
    database.select({ of: count() }).from(sessions).where(where),
    database
      .select({ sessionId, title, state })
      .from(sessions)
      .where(where)
      .orderBy(desc(sessions.updatedAt), desc(sessionId))
      .limit(DIGEST_SESSIONS),
  ]);
  return { count: all[0]?.of ?? 0, items };
}

/** Acts that happened, or may have; what was claimed and what the gate saw of it are one. */
async function countActs(
  database: Database,
  accountId: AccountId,
  range: Range,
): Promise<{ kind: ActKind; count: number }[]> {
  const counted = async (outcome: 'done' | 'unknown') =>
    database
      .select({ kind: acts.kind, of: count() })
      .from(acts)
      .leftJoin(sessions, eq(sessions.sessionId, acts.sessionId))
      .where(
        and(
          eq(acts.accountId, accountId),
          isNull(acts.claimId),
          sql`${acts.kind} <> 'commit'`,
          ...selectActs({ ...range, outcome }),
        ),
      )
      .groupBy(acts.kind);
  const sums = new Map<ActKind, number>();
  for (const { kind, of } of [...(await counted('done')), ...(await counted('unknown'))])
    sums.set(kind, (sums.get(kind) ?? 0) + of);
  return [...sums]
    .map(([kind, of]) => ({ kind, count: of }))
    .toSorted((one, other) => other.count - one.count || (one.kind < other.kind ? -1 : 1));
}
