import { z } from 'zod';
import { BUILT_IN_PRESETS, findBuiltIn } from './builtin-presets.ts';
import { engineReadiness } from './machine.ts';
import { engineCapabilities } from './parsers.ts';
import { capabilitiesOf, enginePreset, type EnginePreset } from './preset.ts';
import { engineId } from './engine-id.ts';
import { REHEARSAL_ENGINE_ID } from './launch.ts';
import { BRAIN_SOURCE, OPERATOR_SOURCE } from './usage.ts';

/** An engine as the account has it: one of its own, or one that comes with the product. */
export const engineEntry = z.object({
  preset: enginePreset,
  origin: z.enum(['builtIn', 'own']),
  /** The product's own suite drove the real CLI with it. */
  verified: z.boolean(),
  capabilities: engineCapabilities,
  /** Counts from 1 with each save; null for one that comes with the product. */
  version: z.int().positive().nullable(),
  savedAt: z.int().nullable(),
  /**
   * What it is called that came with the product later under the same id: the account's own keeps
   * it, so that whatever names it means what it meant. Absent: nothing has.
   */
  inPlaceOf: z.string().optional(),
});
export type EngineEntry = z.infer<typeof engineEntry>;
export const engineList = z.object({ items: z.array(engineEntry) });

export const engineVersion = z.object({
  version: z.int().positive(),
  savedAt: z.int(),
  savedBy: z.enum(['person', 'cli']),
  /** Null: it was removed. */
  preset: enginePreset.nullable(),
});
export type EngineVersion = z.infer<typeof engineVersion>;

/** `entry` is null once it was removed; the versions stay, the newest first. */
export const engineDetail = z.object({
  entry: engineEntry.nullable(),
  versions: z.array(engineVersion),
});
export type EngineDetail = z.infer<typeof engineDetail>;

export const saveEngineRequest = z.object({
  preset: enginePreset,
  /** The version that was edited; 0 for a new engine. Another one since refuses the save. */
  basedOn: z.int().nonnegative(),
});
export const engineParams = z.object({ engineId });
export const machineEngines = z.object({ engines: z.array(engineReadiness) });

/** The entry of a built-in preset. */
export const BUILT_IN_ENTRIES: readonly EngineEntry[] = BUILT_IN_PRESETS.map(
  ({ preset, verified }) => ({
    preset,
    origin: 'builtIn',
    verified,
    capabilities: capabilitiesOf(preset),
    version: null,
    savedAt: null,
  }),
);

/** The entry of one of the account's own: proven by nobody but whoever uses it. */
export function ownEntryOf(preset: EnginePreset, version: number, savedAt: number): EngineEntry {
  const capabilities = capabilitiesOf(preset);
  const later = findBuiltIn(preset.id);
  return {
    preset,
    origin: 'own',
    verified: false,
    capabilities,
    version,
    savedAt,
    ...(later && { inPlaceOf: later.preset.label }),
  };
}

/** Every engine that can be launched: those of the product whose id is free, then the account's own. */
export const joinEntries = (own: readonly EngineEntry[]): EngineEntry[] => [
  ...BUILT_IN_ENTRIES.filter(({ preset }) => !own.some((each) => each.preset.id === preset.id)),
  ...own,
];

/**
 * Where a person's own version of an engine of the product begins, which stays as it is: under an id
 * and a name that say so.
 */
export const ownVersionOf = (preset: EnginePreset): EnginePreset => ({
  ...preset,
  id: `my-${preset.id}`,
  label: `${preset.label}, your own`,
});

/** What an engine that was made so is a version of; null for any other. */
export function variedBy({ preset, origin }: Pick<EngineEntry, 'preset' | 'origin'>) {
  if (origin !== 'own' || !preset.id.startsWith('my-')) return null;
  return findBuiltIn(preset.id.slice('my-'.length))?.preset ?? null;
}

/** Engines that no preset can describe, and what stands in the ledger in an engine’s place. */
const WITHOUT_PRESET: readonly string[] = [REHEARSAL_ENGINE_ID, BRAIN_SOURCE, OPERATOR_SOURCE];

/** Whether an id is one that comes with the product, and so nobody's to use for another engine. */
export function isReservedId(id: string): boolean {
  return WITHOUT_PRESET.includes(id) || BUILT_IN_PRESETS.some(({ preset }) => preset.id === id);
}

/** A preset as a file, as it is exported and imported. */
export const presetFile = z.strictObject({
  kind: z.literal('pilothouse/engine'),
  formatVersion: z.literal(1),
  preset: z.unknown(),
});

/** The text of a preset's file, on one line where it goes into a command. */
export function printPresetFile(preset: EnginePreset, indent = 2): string {
  return `${JSON.stringify({ kind: 'pilothouse/engine', formatVersion: 1, preset }, null, indent)}\n`;
}

/** The preset in a file, still to be parsed; null for a text that is no such file. */
export function readPresetFile(text: string): { preset: unknown } | null {
  try {
    const parsed = presetFile.safeParse(JSON.parse(text));
    return parsed.success ? { preset: parsed.data.preset } : null;
  } catch {
    return null;
  }
}
