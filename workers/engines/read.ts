import { and, desc, eq, sql } from 'drizzle-orm';
import {
  BUILT_IN_ENTRIES,
  type EngineDetail,
  type EngineEntry,
  joinEntries,
  ownEntryOf,
} from '../../protocol/engines.ts';
import { findBuiltIn } from '../../protocol/builtin-presets.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId } from '../../protocol/ids.ts';
import { enginePreset, type EnginePreset } from '../../protocol/preset.ts';
import type { Database } from '../db/client.ts';
import { enginePresets } from '../db/schema.ts';

type Row = typeof enginePresets.$inferSelect;

/** The account's own engines as they stand, by id. */
export async function listOwnEngines(
  database: Database,
  accountId: AccountId,
): Promise<EngineEntry[]> {
  const newest = sql`(${enginePresets.presetId}, ${enginePresets.version}) IN (
    SELECT preset_id, MAX(version) FROM engine_presets WHERE account_id = ${accountId} GROUP BY preset_id)`;
  const rows = await database
    .select()
    .from(enginePresets)
    .where(and(eq(enginePresets.accountId, accountId), newest))
    .orderBy(enginePresets.presetId);
  return rows.flatMap((row) => toEntry(row) ?? []);
}

/** Every engine that can be launched. */
export async function listEngines(
  database: Database,
  accountId: AccountId,
): Promise<EngineEntry[]> {
  return joinEntries(await listOwnEngines(database, accountId));
}

/** The newest row of an id, a removal too; undefined when there never was one. */
export async function readNewest(
  database: Database,
  accountId: AccountId,
  presetId: string,
): Promise<Row | undefined> {
  return (await readRows(database, accountId, presetId, 1))[0];
}

function readRows(database: Database, accountId: AccountId, presetId: string, limit: number) {
  return database
    .select()
    .from(enginePresets)
    .where(and(eq(enginePresets.accountId, accountId), eq(enginePresets.presetId, presetId)))
    .orderBy(desc(enginePresets.version))
    .limit(limit);
}

/** How many of the last versions are told. */
const TOLD_VERSIONS = 100;

/** One engine with its history. Throws `engine_preset_not_found`. */
export async function readEngine(
  database: Database,
  accountId: AccountId,
  presetId: string,
): Promise<EngineDetail> {
  const builtIn = BUILT_IN_ENTRIES.find(({ preset }) => preset.id === presetId) ?? null;
  const rows = await readRows(database, accountId, presetId, TOLD_VERSIONS);
  const [newest] = rows;
  if (!newest && builtIn) return { entry: builtIn, versions: [] };
  if (!newest) throw new PilothouseError('engine_preset_not_found', { engineId: presetId });
  const versions = rows.map(({ version, at, savedBy, preset }) => ({
    version,
    savedAt: at,
    savedBy,
    preset: preset === null ? null : enginePreset.parse(preset),
  }));
  return { entry: toEntry(newest) ?? builtIn, versions };
}

/**
 * What a launch of this engine carries along: the preset of an engine that is not in the runner's
 * own code, else null. One that was removed is no engine any more: the machine will not know it.
 */
export async function readLaunchPreset(
  database: Database,
  accountId: AccountId,
  engineId: string,
): Promise<EnginePreset | null> {
  const newest = await readNewest(database, accountId, engineId);
  const own = newest ? toEntry(newest) : null;
  if (own) return own.preset;
  const builtIn = findBuiltIn(engineId);
  return builtIn && !builtIn.verified ? builtIn.preset : null;
}

/** A row as an engine; null for a removal. */
export function toEntry({ preset, version, at }: Row): EngineEntry | null {
  return preset === null ? null : ownEntryOf(enginePreset.parse(preset), version, at);
}
