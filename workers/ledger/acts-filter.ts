import { eq, gte, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { ActsFilter } from '../../protocol/http.ts';
import type { RunnerId } from '../../protocol/ids.ts';
import {
  acts,
  actOutcomes,
  actWitnesses,
  breaches,
  operatorInstances,
  sessions,
} from '../db/schema.ts';

/** How an act of a session ended last, as JSON; null while it is under way. */
export const latestOutcome = (actIdOf: SQL) => sql<string | null>`(
  SELECT json_object('outcome', outcome, 'decidedBy', decided_by, 'reason', reason) FROM ${actOutcomes} AS ended
  WHERE ended.session_id = ${acts.sessionId} AND ended.act_id = ${actIdOf}
  ORDER BY ended.position DESC LIMIT 1
)`;

const wordOf = (outcome: SQL) => sql`json_extract(${outcome}, '$.outcome')`;

/**
 * What became of an act as one word, null while it is open: what the gate says of any ref of it, or
 * else its own outcome. The same as `decideEnd`, where the database can select by it.
 */
const endedAs = sql`coalesce((
  SELECT CASE
    WHEN max(each.word = 'done') THEN 'done'
    WHEN max(each.word = 'unknown') THEN 'unknown'
    WHEN max(each.word = 'not_done') THEN 'not_done'
  END FROM (
    SELECT ${wordOf(latestOutcome(sql`told.act_id`))} AS word FROM ${acts} AS told
    WHERE told.session_id = ${acts.sessionId} AND told.claim_id = ${acts.actId}
  ) AS each
), ${wordOf(latestOutcome(sql`${acts.actId}`))})`;

/** Whether an act, or a ref of it that the gate judged, is a breach. */
export const isBreach = sql<number>`EXISTS (
  SELECT 1 FROM ${breaches} AS broken
  WHERE broken.session_id = ${acts.sessionId} AND (
    broken.act_id = ${acts.actId} OR broken.act_id IN (
      SELECT told.act_id FROM ${acts} AS told
      WHERE told.session_id = ${acts.sessionId} AND told.claim_id = ${acts.actId}
    )
  )
)`;

/** Whether somebody beside the first witness saw it; who found that nothing moved did not. */
const seenToo = (by: string) => sql`EXISTS (
  SELECT 1 FROM ${actWitnesses} AS also
  WHERE also.session_id = ${acts.sessionId} AND also.act_id = ${acts.actId}
    AND also.witness = ${by} AND also.finding <> 'unmoved'
)`;

/** Whether the gate told of a ref of it. */
const gated = sql`EXISTS (
  SELECT 1 FROM ${acts} AS told
  WHERE told.session_id = ${acts.sessionId} AND told.claim_id = ${acts.actId}
)`;

/** Whether it is an operator's on this machine. */
const isOperatedOn = (runnerId: RunnerId) => sql`EXISTS (
  SELECT 1 FROM ${operatorInstances} AS instance
  WHERE instance.instance_id = ${acts.sessionId} AND instance.runner_id = ${runnerId}
)`;

/** What an act must be to be in a filtered list, each a condition. */
export function selectActs(filter: ActsFilter): (SQL | undefined)[] {
  const { sessionId, runnerId, actorId, kind, witness, outcome, breach, from, to } = filter;
  return [
    sessionId && eq(acts.sessionId, sessionId),
    runnerId && or(eq(sessions.runnerId, runnerId), isOperatedOn(runnerId)),
    actorId && eq(acts.actorId, actorId),
    kind && eq(acts.kind, kind),
    witness &&
      or(eq(acts.witness, witness), seenToo(witness), witness === 'gate' ? gated : undefined),
    outcome && (outcome === 'open' ? isNull(endedAs) : eq(endedAs, outcome)),
    breach === undefined ? undefined : breach ? isBreach : sql`NOT ${isBreach}`,
    from === undefined ? undefined : gte(acts.at, from),
    to === undefined ? undefined : lt(acts.at, to),
  ];
}
