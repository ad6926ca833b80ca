import { and, desc, eq, sql } from 'drizzle-orm';
import type { ActKind } from '../../protocol/act.ts';
import { type ActRow, actRow } from '../../protocol/http.ts';
import { type ActWitness, actWitness } from '../../protocol/witness.ts';
import { type AccountId, actId, type SessionId, turnId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import {
  acts,
  actOutcomes,
  actWitnesses,
  approvalDecisions,
  approvalRequests,
  sessions,
} from '../db/schema.ts';
import { numberOf, type Page, pageFrom, parseCursor } from '../lib/page.ts';

const endOf = actRow.pick({ outcome: true, decidedBy: true, reason: true });
const NOT_ENDED = { outcome: null, decidedBy: null, reason: null };

/** How an act ended last, as JSON; null while it is under way. */
const latestOutcome = sql<string | null>`(
  SELECT json_object('outcome', outcome, 'decidedBy', decided_by, 'reason', reason) FROM ${actOutcomes} AS ended
  WHERE ended.session_id = ${acts.sessionId} AND ended.act_id = ${acts.actId}
  ORDER BY ended.position DESC LIMIT 1
)`;

/** What other witnesses found about an act, as a list in JSON, in their order. */
const found = sql<string>`(
  SELECT json_group_array(json_object(
    'by', told.witness, 'finding', told.finding, 'evidence', told.evidence,
    'move', CASE WHEN told.ref IS NULL THEN NULL ELSE json_object(
      'place', told.place, 'ref', told.ref, 'before', told.commit_before, 'after', told.commit_after
    ) END
  )) FROM (
    SELECT * FROM ${actWitnesses} AS each
    WHERE each.session_id = ${acts.sessionId} AND each.act_id = ${acts.actId}
    ORDER BY each.position
  ) AS told
)`;

/** Whether the tool call of an act was asked about and has no answer of any kind. */
const waits = sql<number>`EXISTS (
  SELECT 1 FROM ${approvalRequests} AS asked
  WHERE asked.session_id = ${acts.sessionId} AND asked.tool_id = ${acts.toolId}
    AND NOT EXISTS (
      SELECT 1 FROM ${approvalDecisions} AS said
      WHERE said.session_id = asked.session_id AND said.request_id = asked.request_id
    )
)`;

/**
 * A page of acts, newest first. An act's id is unique in its session alone, so the session is the
 * last part of the order: without it a page would pass over one of two that share time and id.
 * Throws `bad_request` for a cursor that is not one of ours.
 */
export async function listActs(
  database: Database,
  accountId: AccountId,
  query: {
    cursor?: string | undefined;
    limit: number;
    sessionId?: SessionId | undefined;
    kind?: ActKind | undefined;
  },
): Promise<Page<ActRow>> {
  const [at, id, session] = parseCursor(query.cursor, 3);
  const before =
    at === undefined
      ? undefined
      : sql`(${acts.at}, ${acts.actId}, ${acts.sessionId}) < (${numberOf(at)}, ${id}, ${session})`;
  const rows = await database
    .select({ act: acts, ended: latestOutcome, waits, found, title: sessions.title })
    .from(acts)
    .leftJoin(sessions, eq(sessions.sessionId, acts.sessionId))
    .where(
      and(
        eq(acts.accountId, accountId),
        query.sessionId ? eq(acts.sessionId, query.sessionId) : undefined,
        query.kind ? eq(acts.kind, query.kind) : undefined,
        before,
      ),
    )
    .orderBy(desc(acts.at), desc(acts.actId), desc(acts.sessionId))
    .limit(query.limit + 1);
  const { items, nextCursor } = pageFrom(rows, query.limit, (row) => [
    row.act.at,
    row.act.actId,
    row.act.sessionId,
  ]);
  return {
    items: items.map(({ act, ended, waits: asked, found: told, title }) =>
      toActRow(act, ended === null ? NOT_ENDED : endOf.parse(JSON.parse(ended)), {
        asked: asked === 1,
        witnesses: actWitness.array().parse(JSON.parse(told)),
        sessionTitle: title ?? '',
      }),
    ),
    nextCursor,
  };
}

function toActRow(
  act: typeof acts.$inferSelect,
  end: Pick<ActRow, 'outcome' | 'decidedBy' | 'reason'>,
  beside: { asked: boolean; witnesses: ActWitness[]; sessionTitle: string },
): ActRow {
  const { asked, witnesses, sessionTitle } = beside;
  return {
    actId: actId.parse(act.actId),
    sessionId: act.sessionId,
    sessionTitle,
    engineId: act.engineId,
    rehearsal: act.rehearsal,
    turnId: act.turnId === null ? null : turnId.parse(act.turnId),
    toolId: act.toolId,
    kind: act.kind,
    target: act.target,
    command: act.command,
    witness: act.witness,
    witnesses,
    uncertain: act.uncertain,
    ...end,
    waiting: end.outcome === null && asked,
    at: act.at,
  };
}
