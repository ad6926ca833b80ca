import { type EngineEntry, isReservedId } from '../../protocol/engines.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import { type EnginePreset, PRESETS_MAX } from '../../protocol/preset.ts';
import type { Principal } from '../access/principal.ts';
import type { Database } from '../db/client.ts';
import { enginePresets } from '../db/schema.ts';
import { listOwnEngines, readNewest, toEntry } from './read.ts';

export type Saver = Principal & { kind: 'person' | 'cli' };

/**
 * Saves a preset as its next version. Throws `engine_id_taken` for an id of the product's own, unless
 * the account had an engine of that id before the product did, `engine_changed` when another version than `basedOn` stands, and `too_many_engines`.
 */
export async function saveEngine(
  database: Database,
  saver: Saver,
  input: { preset: EnginePreset; basedOn: number },
  nowMs: number,
): Promise<EngineEntry> {
  const { preset, basedOn } = input;
  const { accountId } = saver;
  const newest = await readNewest(database, accountId, preset.id);
  const standing = newest && newest.preset !== null ? newest.version : 0;
  if (standing === 0 && isReservedId(preset.id))
    throw new PilothouseError('engine_id_taken', { engineId: preset.id });
  if (standing !== basedOn) throw changed(preset.id);
  if (standing === 0 && (await listOwnEngines(database, accountId)).length >= PRESETS_MAX)
    throw new PilothouseError('too_many_engines', { max: PRESETS_MAX });
  const version = (newest?.version ?? 0) + 1;
  return appendVersion(database, saver, { presetId: preset.id, version, preset, at: nowMs });
}

/** Removes an engine; what was saved stays as its history. Throws `engine_preset_not_found`. */
export async function removeEngine(
  database: Database,
  saver: Saver,
  presetId: string,
  nowMs: number,
): Promise<void> {
  const newest = await readNewest(database, saver.accountId, presetId);
  if (!newest || newest.preset === null) {
    const code = isReservedId(presetId) ? 'engine_id_taken' : 'engine_preset_not_found';
    throw new PilothouseError(code, { engineId: presetId });
  }
  const version = newest.version + 1;
  await append(database, saver, { presetId, version, preset: null, at: nowMs });
}

type NewVersion = { presetId: string; version: number; preset: EnginePreset | null; at: number };

async function appendVersion(
  database: Database,
  saver: Saver,
  row: NewVersion,
): Promise<EngineEntry> {
  const entry = toEntry(await append(database, saver, row));
  if (!entry) throw changed(row.presetId);
  return entry;
}

/** Its number is its place: of two that are saved at once, one is refused. */
async function append(database: Database, saver: Saver, row: NewVersion) {
  const { accountId, actorId, kind } = saver;
  const [appended] = await database
    .insert(enginePresets)
    .values({ ...row, accountId, actorId, savedBy: kind })
    .onConflictDoNothing()
    .returning();
  if (!appended) throw changed(row.presetId);
  return appended;
}

const changed = (engineId: string): PilothouseError =>
  new PilothouseError('engine_changed', { engineId });
