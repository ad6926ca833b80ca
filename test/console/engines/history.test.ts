import { describe, expect, it } from 'vitest';
import { patchOf, restoreObstacle, versionBefore } from '../../../console/engines/history.ts';
import { parsePatch } from '../../../console/transcript/parse-patch.ts';
import { type EngineVersion, ownEntryOf } from '../../../protocol/engines.ts';
import { aPreset } from '../../support/preset-builders.ts';

const first = aPreset({ command: ['cat'] });
const second = aPreset({ command: ['tac'], env: ['A_NAME'] });
const versionOf = (version: number, preset: EngineVersion['preset']): EngineVersion => ({
  version,
  savedAt: version * 1_000,
  savedBy: 'person',
  preset,
});
const changed = (patch: string | null) =>
  parsePatch(patch ?? '')
    .filter(({ kind }) => kind === 'added' || kind === 'removed')
    .map(({ kind, text }) => `${kind} ${text.trim()}`);

describe('what changed between two versions', () => {
  it('is each line of the preset that is another, and no line of a file header', () => {
    const lines = changed(patchOf(first, second));
    expect(lines).toContain('removed "cat"');
    expect(lines).toContain('added "tac"');
    expect(lines).toContain('added "A_NAME"');
    expect(lines.join()).not.toMatch(/before|after|label/);
  });

  it('is nothing between two that are the same, or both removals', () => {
    expect(patchOf(first, aPreset({ command: ['cat'] }))).toBeNull();
    expect(patchOf(null, null)).toBeNull();
  });

  it('is the whole of it where it was removed, and where it came back', () => {
    const gone = changed(patchOf(first, null));
    const back = changed(patchOf(null, first));
    expect(gone.every((line) => line.startsWith('removed'))).toBe(true);
    expect(back.map((line) => line.replace('added', 'removed'))).toEqual(gone);
  });

  it('is told against the version before, where that is still told', () => {
    const versions = [versionOf(3, second), versionOf(2, first)];
    expect(versionBefore(versions, 3)).toBe(versions[1]);
    expect(versionBefore(versions, 2)).toBeUndefined();
  });
});

describe('a version', () => {
  const detail = { entry: ownEntryOf(second, 3, 3_000), versions: [] };

  it('can be restored when it is another than what stands', () => {
    expect(restoreObstacle(detail, versionOf(1, first))).toBeNull();
  });

  it('is not when it is what stands, whichever number it has, nor when it is a removal', () => {
    expect(restoreObstacle(detail, versionOf(1, second))).toBe('It is so now.');
    expect(restoreObstacle(detail, versionOf(2, null))).toBe('It was removed then.');
  });

  it('can be restored after the engine was removed, whatever it was', () => {
    expect(restoreObstacle({ entry: null, versions: [] }, versionOf(1, second))).toBeNull();
  });
});
