import { and, desc, eq, gte, inArray, isNull, like, lt, sql } from 'drizzle-orm';
import type { BreachView } from '../../protocol/breach.ts';
import { type BreachRow, breachDrive } from '../../protocol/http.ts';
import {
  type AccountId,
  actId,
  type InstanceId,
  type SessionId,
  turnId,
} from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { acts, breaches, breachOverrides, gateDecisions, sessions } from '../db/schema.ts';
import { numberOf, type Page, pageFrom, parseCursor } from '../lib/page.ts';
import { titleOfDoer } from './doer-title.ts';

/** The write of an operator that a breach is of, as JSON; null for one of a session. */
const drive = sql<string | null>`(
  SELECT json_object('operatorId', call.operator_id, 'callId', call.call_id, 'target', call.target)
  FROM ${acts} AS told JOIN ${gateDecisions} AS call
    ON call.instance_id = told.session_id AND call.call_id = told.tool_id AND call.effect = 'allow'
  WHERE told.session_id = ${breaches}.session_id AND told.act_id = ${breaches}.act_id LIMIT 1
)`;

/** A person's word on a breach. */
const ofBreach = and(
  eq(breachOverrides.sessionId, breaches.sessionId),
  eq(breachOverrides.actId, breaches.actId),
);

type Doer = 'session' | 'operator' | 'any';

/** How the ids of each kind of doer begin. */
const PREFIXES: Readonly<Record<Doer, string>> = { session: 'ses_%', operator: 'ins_%', any: '%' };

/** A page of breaches, newest first. Throws `bad_request` for a cursor that is not one of ours. */
export async function listBreaches(
  database: Database,
  accountId: AccountId,
  query: {
    cursor?: string | undefined;
    limit: number;
    sessionId?: SessionId | InstanceId | undefined;
    doer?: Doer | undefined;
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
    .select({
      breach: breaches,
      word: breachOverrides,
      title: titleOfDoer(breaches.sessionId),
      drive,
    })
    .from(breaches)
    .leftJoin(breachOverrides, ofBreach)
    .leftJoin(sessions, eq(sessions.sessionId, breaches.sessionId))
    .where(
      and(
        eq(breaches.accountId, accountId),
        query.sessionId ? eq(breaches.sessionId, query.sessionId) : undefined,
        like(breaches.sessionId, PREFIXES[query.doer ?? (query.sessionId ? 'any' : 'session')]),
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

/** Breaches of instances that nobody has answered for, by instance, the first first. */
export async function readOpenBreaches(
  database: Database,
  accountId: AccountId,
  instanceIds: readonly InstanceId[],
): Promise<ReadonlyMap<InstanceId, BreachView[]>> {
  if (instanceIds.length === 0) return new Map();
  const rows = await database
    .select({ breach: breaches })
    .from(breaches)
    .leftJoin(breachOverrides, ofBreach)
    .where(
      and(
        eq(breaches.accountId, accountId),
        inArray(breaches.sessionId, [...instanceIds]),
        isNull(breachOverrides.actId),
      ),
    )
    .orderBy(breaches.at, breaches.actId);
  const views = rows.map(
    ({ breach }) => [breach.sessionId as InstanceId, viewOf(breach, null)] as const,
  );
  const grouped = Map.groupBy(views, ([instanceId]) => instanceId);
  return new Map([...grouped].map(([id, some]) => [id, some.map(([, view]) => view)]));
}

/** The breach of an instance with this act; null: there is none. */
export async function findBreach(
  database: Database,
  accountId: AccountId,
  instanceId: InstanceId,
  act: string,
): Promise<BreachView | null> {
  const [row] = await database
    .select({ breach: breaches, word: breachOverrides })
    .from(breaches)
    .leftJoin(breachOverrides, ofBreach)
    .where(
      and(
        eq(breaches.accountId, accountId),
        eq(breaches.sessionId, instanceId),
        eq(breaches.actId, act),
      ),
    )
    .limit(1);
  return row ? viewOf(row.breach, row.word) : null;
}

type Word = typeof breachOverrides.$inferSelect | null;

function viewOf(breach: typeof breaches.$inferSelect, word: Word): BreachView {
  const { kind, seenBy, command, rule, move, undo, at } = breach;
  return {
    actId: actId.parse(breach.actId),
    turnId: breach.turnId === null ? null : turnId.parse(breach.turnId),
    kind,
    seenBy,
    command,
    rule,
    move,
    undo,
    at,
    override: word && {
      reason: word.reason,
      actorId: word.actorId,
      channel: word.channel,
      at: word.at,
    },
  };
}

function toBreachRow(row: {
  breach: typeof breaches.$inferSelect;
  word: Word;
  title: string | null;
  drive: string | null;
}): BreachRow {
  const { breach, word, title, drive: call } = row;
  const { sessionId, engineId, policy } = breach;
  return {
    ...viewOf(breach, word),
    sessionId,
    sessionTitle: title ?? '',
    engineId,
    policy,
    drive: call === null ? null : breachDrive.parse(JSON.parse(call)),
  };
}
