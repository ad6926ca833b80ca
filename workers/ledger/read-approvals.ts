import { and, desc, eq, gte, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type ApprovalRow, type AuditFilter, approvalRow } from '../../protocol/audit.ts';
import { type AccountId, requestId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { approvalDecisions, approvalRequests, sessions } from '../db/schema.ts';
import { linkOf, parseLink } from './chain-link.ts';
import { numberOf, type Page, pageFrom, parseCursor } from '../lib/page.ts';

/** The last word on a request by a person, or by the engine, as JSON; null where there is none. */
const lastWord = (origin: 'person' | 'engine') => sql<string | null>`(
  SELECT json_object('decision', decision, 'actorId', actor_id, 'channel', channel, 'at', at)
  FROM ${approvalDecisions} AS said
  WHERE said.session_id = ${approvalRequests.sessionId}
    AND said.request_id = ${approvalRequests.requestId} AND said.origin = ${origin}
  ORDER BY said.position DESC LIMIT 1
)`;

const told = z
  .string()
  .nullable()
  .transform((text): unknown => (text === null ? null : JSON.parse(text)));
const answered = told.pipe(approvalRow.shape.answer);
const resolved = told.pipe(z.object({ decision: z.unknown(), at: z.unknown() }).nullable());

/** A page of approvals, newest first. Throws `bad_request` for a cursor that is not one of ours. */
export async function listApprovals(
  database: Database,
  accountId: AccountId,
  query: AuditFilter & { cursor?: string | undefined; limit: number },
): Promise<Page<ApprovalRow>> {
  const { sessionId, from, to } = query;
  const [at, id, session] = parseCursor(query.cursor, 3);
  const rows = await database
    .select({
      request: approvalRequests,
      answer: lastWord('person'),
      resolution: lastWord('engine'),
      link: linkOf('approvalRequest', approvalRequests.sessionId, approvalRequests.requestId),
      title: sessions.title,
    })
    .from(approvalRequests)
    .leftJoin(sessions, eq(sessions.sessionId, approvalRequests.sessionId))
    .where(
      and(
        eq(approvalRequests.accountId, accountId),
        sessionId && eq(approvalRequests.sessionId, sessionId),
        from === undefined ? undefined : gte(approvalRequests.at, from),
        to === undefined ? undefined : lt(approvalRequests.at, to),
        at === undefined
          ? undefined
          : sql`(${approvalRequests.at}, ${approvalRequests.requestId}, ${approvalRequests.sessionId}) < (${numberOf(at)}, ${id}, ${session})`,
      ),
    )
    .orderBy(
      desc(approvalRequests.at),
      desc(approvalRequests.requestId),
      desc(approvalRequests.sessionId),
    )
    .limit(query.limit + 1);
  const { items, nextCursor } = pageFrom(rows, query.limit, ({ request }) => [
    request.at,
    request.requestId,
    request.sessionId,
  ]);
  return { items: items.map(toRow), nextCursor };
}

function toRow(row: {
  request: typeof approvalRequests.$inferSelect;
  answer: string | null;
  resolution: string | null;
  link: string | null;
  title: string | null;
}): ApprovalRow {
  const { request, answer, resolution, title } = row;
  const link = parseLink(row.link);
  const { sessionId, kind, toolName, acts, at, expiresAt } = request;
  const end = resolved.parse(resolution);
  return {
    requestId: requestId.parse(request.requestId),
    sessionId,
    sessionTitle: title ?? '',
    kind,
    toolName,
    acts: [...acts],
    requestedAt: at,
    expiresAt,
    answer: answered.parse(answer),
    resolution: approvalRow.shape.resolution.parse(end && { outcome: end.decision, at: end.at }),
    ...(link && { link }),
  };
}
