import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import {
  type ActEnd,
  actEnd,
  decideEnd,
  gateRef,
  NOT_ENDED,
  witnessOfGate,
} from '../../protocol/gated-act.ts';
import type { ChainHead } from '../../protocol/chain-head.ts';
import type { ActRow, ActsFilter } from '../../protocol/http.ts';
import { type ActWitness, actWitness } from '../../protocol/witness.ts';
import { type AccountId, actId, type ActorId, type RunnerId, turnId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import {
  acts,
  actWitnesses,
  approvalDecisions,
  approvalRequests,
  operatorInstances,
  runners,
  sessions,
} from '../db/schema.ts';
import { isBreach, latestOutcome, selectActs } from './acts-filter.ts';
import { linkOf, parseLink } from './chain-link.ts';
import { titleOfDoer } from './doer-title.ts';
import { numberOf, type Page, pageFrom, parseCursor } from '../lib/page.ts';

/** The refs of an act that went through the gate, as a list in JSON. */
const gated = sql<string>`(
  SELECT json_group_array(json_object(
    'command', each.command, 'end', json(${latestOutcome(sql`each.act_id`)})
  )) FROM (
    SELECT * FROM ${acts} AS told
    WHERE told.session_id = ${acts.sessionId} AND told.claim_id = ${acts.actId}
    ORDER BY told.position
  ) AS each
)`;

/** What other witnesses found about an act or a ref of it, as a list in JSON, in their order. */
const found = sql<string>`(
  SELECT json_group_array(json_object(
    'by', told.witness, 'finding', told.finding, 'evidence', told.evidence,
    'move', CASE WHEN told.ref IS NULL THEN NULL ELSE json_object(
      'place', told.place, 'ref', told.ref, 'before', told.commit_before, 'after', told.commit_after
    ) END
  )) FROM (
    SELECT * FROM ${actWitnesses} AS each
    WHERE each.session_id = ${acts.sessionId} AND (
      each.act_id = ${acts.actId} OR each.act_id IN (
        SELECT act_id FROM ${acts} AS same
        WHERE same.session_id = ${acts.sessionId} AND same.claim_id = ${acts.actId}
      )
    )
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

/** The machine of a session or an operator, and what it is called. */
const machineId = sql<RunnerId | null>`coalesce(${sessions.runnerId}, (
  SELECT instance.runner_id FROM ${operatorInstances} AS instance
  WHERE instance.instance_id = ${acts.sessionId} ORDER BY instance.revision DESC LIMIT 1
))`;
const machineName = sql<string | null>`(
  SELECT machine.name FROM ${runners} AS machine WHERE machine.runner_id = ${machineId}
)`;

const refOf = gateRef.extend({ end: actEnd.nullable().transform((end) => end ?? NOT_ENDED) });

/**
 * A page of acts, newest first. What the stream claims and the gate saw is one, and ends as the gate
 * says. An act's id is unique in its session alone, so the session is the
 * last part of the order: without it a page would pass over one of two that share time and id.
 * Throws `bad_request` for a cursor that is not one of ours.
 */
export async function listActs(
  database: Database,
  accountId: AccountId,
  query: ActsFilter & { cursor?: string | undefined; limit: number },
): Promise<Page<ActRow>> {
  const [at, id, session] = parseCursor(query.cursor, 3);
  const before =
    at === undefined
      ? undefined
      : sql`(${acts.at}, ${acts.actId}, ${acts.sessionId}) < (${numberOf(at)}, ${id}, ${session})`;
  const rows = await database
    .select({
      act: acts,
      ended: latestOutcome(sql`${acts.actId}`),
      gated,
      waits,
      found,
      breach: isBreach,
      link: linkOf('act', acts.sessionId, acts.actId),
      title: titleOfDoer(acts.sessionId),
      machine: { runnerId: machineId, name: machineName },
      owner: sessions.actorId,
    })
    .from(acts)
    .leftJoin(sessions, eq(sessions.sessionId, acts.sessionId))
    .where(and(eq(acts.accountId, accountId), isNull(acts.claimId), ...selectActs(query), before))
    .orderBy(desc(acts.at), desc(acts.actId), desc(acts.sessionId))
    .limit(query.limit + 1);
  const { items, nextCursor } = pageFrom(rows, query.limit, (row) => [
    row.act.at,
    row.act.actId,
    row.act.sessionId,
  ]);
  return {
    items: items.map(
      ({
        act,
        ended,
        gated: refs,
        waits: asked,
        found: told,
        breach,
        link,
        title: name,
        ...of
      }) => {
        const { machine: on, owner } = of;
        const gate = refOf.array().parse(JSON.parse(refs));
        const own = ended === null ? NOT_ENDED : actEnd.parse(JSON.parse(ended));
        return toActRow(act, decideEnd(own, gate), {
          asked: asked === 1,
          breach: breach === 1,
          link: parseLink(link),
          witnesses: [...gate.map(witnessOfGate), ...actWitness.array().parse(JSON.parse(told))],
          sessionTitle: name ?? '',
          machine:
            on.runnerId === null ? null : { runnerId: on.runnerId, name: on.name ?? on.runnerId },
          owner,
        });
      },
    ),
    nextCursor,
  };
}

function toActRow(
  act: typeof acts.$inferSelect,
  end: ActEnd,
  beside: {
    asked: boolean;
    breach: boolean;
    link: ChainHead | undefined;
    witnesses: ActWitness[];
    sessionTitle: string;
    machine: ActRow['machine'];
    owner: ActorId | null;
  },
): ActRow {
  const { asked, breach, link, witnesses, sessionTitle, machine, owner } = beside;
  return {
    actId: actId.parse(act.actId),
    sessionId: act.sessionId,
    sessionTitle,
    engineId: act.engineId,
    machine,
    actorId: act.actorId,
    behalfOf: owner === null || owner === act.actorId ? null : owner,
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
    ...(breach && { breach }),
    ...(act.policy && { policy: act.policy }),
    ...(link && { link }),
    at: act.at,
  };
}
