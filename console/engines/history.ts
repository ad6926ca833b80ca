import { createTwoFilesPatch } from 'diff';
import type { EngineDetail, EngineVersion } from '../../protocol/engines.ts';
import type { EnginePreset } from '../../protocol/preset.ts';

const textOf = (preset: EnginePreset | null): string =>
  preset === null ? '' : `${JSON.stringify(preset, null, 2)}\n`;

/** What changed between two versions, as a unified patch of them as files; null for nothing. */
export function patchOf(before: EnginePreset | null, after: EnginePreset | null): string | null {
  if (textOf(before) === textOf(after)) return null;
  return createTwoFilesPatch('before', 'after', textOf(before), textOf(after), '', '', {
    context: 1,
  }).replace(/^=+\n/, '');
}

/** The version before another; undefined for the first one, and for one that is told no more. */
export const versionBefore = (
  versions: readonly EngineVersion[],
  version: number,
): EngineVersion | undefined => versions.find((each) => each.version === version - 1);

/** Why a version cannot be restored, as a sentence; null when it can. */
export function restoreObstacle({ entry }: EngineDetail, { preset }: EngineVersion): string | null {
  if (!preset) return 'It was removed then.';
  return entry && textOf(entry.preset) === textOf(preset) ? 'It is so now.' : null;
}
