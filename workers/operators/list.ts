import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { BUILT_IN_OPERATORS } from '../../protocol/builtin-operators.ts';
import { isWider } from '../../protocol/ceiling-compare.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, InstanceId, OperatorId } from '../../protocol/ids.ts';
import type { OperatorDefinition } from '../../protocol/operator.ts';
import { detailOf } from '../../protocol/operator-change.ts';
import type {
  InstanceDetail,
  instancePage,
  instancesQuery,
  OperatorDetail,
  OperatorEntry,
  OperatorList,
  UnreadableOperator,
  instanceHistory,
  UnreadableInstance,
} from '../../protocol/operator-http.ts';
import type { Database } from '../db/client.ts';
import { readOpenBreaches } from '../ledger/read-breaches.ts';
import { operatorDefinitions, operatorInstances } from '../db/schema.ts';
import { pageFrom, parseCursor } from '../lib/page.ts';
import {
  builtInEntryOf,
  type DefinitionRow,
  listDefinitionVersions,
  listRows,
  ownEntryOf,
} from './definitions.ts';
import { requireRevision, toInstance } from './read.ts';

/**
 * Operators that instances can be made of: the account's own by name, then those of the product. One
 * that cannot be read hides no other, and is named.
 */
export async function listOperators(
  database: Database,
  accountId: AccountId,
): Promise<OperatorList> {
  const newest = sql`(${operatorDefinitions.operatorId}, ${operatorDefinitions.version}) IN (
    SELECT operator_id, MAX(version) FROM operator_definitions WHERE account_id = ${accountId} GROUP BY operator_id)`;
  const rows = await database
    .select()
    .from(operatorDefinitions)
    .where(and(eq(operatorDefinitions.accountId, accountId), newest));
  const read = rows.filter(({ body }) => body !== null).map(tryEntry);
  const own = read.filter((each) => 'definition' in each);
  const byName = (one: OperatorEntry, other: OperatorEntry) =>
    one.definition.name.localeCompare(other.definition.name);
  return {
    items: [...own.toSorted(byName), ...BUILT_IN_OPERATORS.map(builtInEntryOf)],
    unreadable: read.filter((each) => 'reason' in each),
  };
}

function tryEntry(row: DefinitionRow): OperatorEntry | UnreadableOperator {
  try {
    return ownEntryOf(row);
  } catch (error) {
    if (!(error instanceof PilothouseError) || error.code !== 'operator_unreadable') throw error;
    return { operatorId: row.operatorId, version: row.version, reason: error.message };
  }
}

/** One operator with its versions. Throws `operator_not_found`. */
export async function readOperator(
  database: Database,
  accountId: AccountId,
  operatorId: OperatorId,
): Promise<OperatorDetail> {
  const builtIn = BUILT_IN_OPERATORS.findLast(({ id }) => id === operatorId);
  if (builtIn) return { entry: builtInEntryOf(builtIn), versions: [] };
  const rows = await listRows(database, accountId, operatorId);
  const newest = rows.at(-1);
  if (!newest) throw new PilothouseError('operator_not_found', { operatorId });
  const versions = rows.map((row, index) => {
    const { version, at, savedBy, body } = row;
    const before = rows.slice(0, index).findLast((one) => one.body !== null);
    const wider = Boolean(body && before?.body && isWider(before.body.ceiling, body.ceiling));
    return { version, publishedAt: at, publishedBy: savedBy, body, wider };
  });
  const entry = newest.body === null ? null : ownEntryOf(newest);
  return { entry, versions: versions.toReversed() };
}

/** A page of instances that were not removed, newest first. One that cannot be read hides no other. */
export async function listInstances(
  database: Database,
  accountId: AccountId,
  query: z.output<typeof instancesQuery>,
): Promise<z.output<typeof instancePage>> {
  const [before] = parseCursor(query.cursor, 1);
  const newest = sql`(${operatorInstances.instanceId}, ${operatorInstances.revision}) IN (
    SELECT instance_id, MAX(revision) FROM operator_instances WHERE account_id = ${accountId} GROUP BY instance_id)`;
  const rows = await database
    .select()
    .from(operatorInstances)
    .where(
      and(
        eq(operatorInstances.accountId, accountId),
        newest,
        sql`json_extract(${operatorInstances.body}, '$.state') <> 'removed'`,
        query.operatorId && eq(operatorInstances.operatorId, query.operatorId),
        before === undefined ? undefined : lt(operatorInstances.instanceId, before as InstanceId),
      ),
    )
    .orderBy(desc(operatorInstances.instanceId))
    .limit(query.limit + 1);
  const { items, nextCursor } = pageFrom(rows, query.limit, (row) => [row.instanceId]);
  const versionsOf = memoVersions(database, accountId);
  const ids = items.map(({ instanceId }) => instanceId);
  const broken = await readOpenBreaches(database, accountId, ids);
  const read = await Promise.all(items.map((row) => tryDescribe(versionsOf, row, broken)));
  return {
    items: read.flatMap((each) => ('instance' in each ? [each] : [])),
    unreadable: read.flatMap((each) => ('instance' in each ? [] : [each])),
    nextCursor,
  };
}

/** One instance, a removed one too. Throws `instance_not_found` and `operator_unreadable`. */
export async function readInstanceDetail(
  database: Database,
  accountId: AccountId,
  instanceId: InstanceId,
): Promise<InstanceDetail> {
  const { row } = await requireRevision(database, accountId, instanceId);
  const versions = await listDefinitionVersions(database, accountId, row.operatorId);
  return describe(versions, row, await readOpenBreaches(database, accountId, [instanceId]));
}

type InstanceRow = typeof operatorInstances.$inferSelect;
type Broken = Awaited<ReturnType<typeof readOpenBreaches>>;

function describe(
  versions: readonly OperatorDefinition[],
  row: InstanceRow,
  broken: Broken,
): InstanceDetail {
  const { instance, definition } = toInstance(versions, row);
  return detailOf(instance, definition, versions, broken.get(instance.id) ?? []);
}

type ReadVersions = (operatorId: OperatorId) => Promise<OperatorDefinition[]>;

/** The versions of an operator, each read once however many instances of it there are. */
function memoVersions(database: Database, accountId: AccountId): ReadVersions {
  const read = new Map<OperatorId, Promise<OperatorDefinition[]>>();
  return (operatorId) => {
    const known = read.get(operatorId) ?? listDefinitionVersions(database, accountId, operatorId);
    read.set(operatorId, known);
    return known;
  };
}

async function tryDescribe(
  versionsOf: ReadVersions,
  row: InstanceRow,
  broken: Broken,
): Promise<InstanceDetail | UnreadableInstance> {
  try {
    return describe(await versionsOf(row.operatorId), row, broken);
  } catch (error) {
    if (!(error instanceof PilothouseError) || error.code !== 'operator_unreadable') throw error;
    return { instanceId: row.instanceId, reason: error.message };
  }
}

/** How many of the last changes are told. */
const TOLD_REVISIONS = 100;

/** What was said of an instance, the newest first. Throws `instance_not_found`. */
export async function listRevisions(
  database: Database,
  accountId: AccountId,
  instanceId: InstanceId,
): Promise<z.infer<typeof instanceHistory>> {
  await requireRevision(database, accountId, instanceId);
  const rows = await database
    .select()
    .from(operatorInstances)
    .where(eq(operatorInstances.instanceId, instanceId))
    .orderBy(desc(operatorInstances.revision))
    .limit(TOLD_REVISIONS);
  const items = rows.map(({ revision, body, at, savedBy }) => ({
    revision,
    body,
    at,
    by: savedBy,
  }));
  return { items };
}
