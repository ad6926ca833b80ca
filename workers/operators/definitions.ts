import { and, asc, desc, eq } from 'drizzle-orm';
import { builtInNote, BUILT_IN_OPERATORS } from '../../protocol/builtin-operators.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, OperatorId } from '../../protocol/ids.ts';
import { operatorDefinition, type OperatorDefinition } from '../../protocol/operator.ts';
import type { OperatorEntry } from '../../protocol/operator-http.ts';
import { describeDefinition } from '../../protocol/operator-words.ts';
import type { Database } from '../db/client.ts';
import { operatorDefinitions } from '../db/schema.ts';

export type DefinitionRow = typeof operatorDefinitions.$inferSelect;

/**
 * Every version of an operator that stands, oldest first; a withdrawn one's too, for the instances
 * that run it. Throws `operator_unreadable`.
 */
export async function listDefinitionVersions(
  database: Database,
  accountId: AccountId,
  operatorId: OperatorId,
): Promise<OperatorDefinition[]> {
  const builtIn = BUILT_IN_OPERATORS.filter(({ id }) => id === operatorId);
  if (builtIn.length > 0) return builtIn;
  const rows = await listRows(database, accountId, operatorId);
  return rows.flatMap((row) => toDefinition(row) ?? []);
}

/** Every row of an operator of the account's own, oldest first, withdrawals among them. */
export function listRows(
  database: Database,
  accountId: AccountId,
  operatorId: OperatorId,
): Promise<DefinitionRow[]> {
  return database
    .select()
    .from(operatorDefinitions)
    .where(ofAccount(accountId, operatorId))
    .orderBy(asc(operatorDefinitions.version));
}

/** The last row of an operator of the account's own, a withdrawal too. */
export async function readNewestRow(
  database: Database,
  accountId: AccountId,
  operatorId: OperatorId,
): Promise<DefinitionRow | undefined> {
  const rows = await database
    .select()
    .from(operatorDefinitions)
    .where(ofAccount(accountId, operatorId))
    .orderBy(desc(operatorDefinitions.version))
    .limit(1);
  return rows[0];
}

/** The version of an operator that is taken now. Throws `operator_not_found` and `operator_withdrawn`. */
export async function requireStanding(
  database: Database,
  accountId: AccountId,
  operatorId: OperatorId,
): Promise<OperatorDefinition> {
  const builtIn = BUILT_IN_OPERATORS.findLast(({ id }) => id === operatorId);
  if (builtIn) return builtIn;
  const row = await readNewestRow(database, accountId, operatorId);
  if (!row) throw new PilothouseError('operator_not_found', { operatorId });
  const definition = toDefinition(row);
  if (!definition) throw new PilothouseError('operator_withdrawn', { operatorId });
  return definition;
}

const ofAccount = (accountId: AccountId, operatorId: OperatorId) =>
  and(eq(operatorDefinitions.accountId, accountId), eq(operatorDefinitions.operatorId, operatorId));

/** A row as a definition; null for a withdrawal. What cannot be read allows nothing. */
export function toDefinition({
  operatorId,
  version,
  body,
}: DefinitionRow): OperatorDefinition | null {
  if (body === null) return null;
  const parsed = operatorDefinition.safeParse({ ...body, id: operatorId, version });
  if (parsed.success) return parsed.data;
  const detail = `version ${version} of ${operatorId} cannot be read by this version`;
  throw new PilothouseError('operator_unreadable', { detail });
}

/** An operator of the product, as the account has it. */
export const builtInEntryOf = (definition: OperatorDefinition): OperatorEntry => ({
  definition,
  origin: 'builtIn',
  words: describeDefinition(definition),
  note: builtInNote(definition.id),
  publishedAt: null,
});

/** One of the account's own. Throws `operator_withdrawn` and `operator_unreadable`. */
export function ownEntryOf(row: DefinitionRow): OperatorEntry {
  const definition = toDefinition(row);
  if (!definition) throw new PilothouseError('operator_withdrawn', { operatorId: row.operatorId });
  const words = describeDefinition(definition);
  return { definition, origin: 'own', words, note: null, publishedAt: row.at };
}
