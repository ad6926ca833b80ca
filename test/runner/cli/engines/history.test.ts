import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  BUILT_IN_ENTRIES,
  type EngineDetail,
  type EngineVersion,
  ownEntryOf,
} from '../../../../protocol/engines.ts';
import { compare, decideRestore } from '../../../../runner/cli/engines/history.ts';
import { EXIT } from '../../../../runner/failure.ts';
import { runOn } from '../../../support/command-line.ts';
import { FakeCloud } from '../../../support/fake-cloud.ts';
import { aPreset } from '../../../support/preset-builders.ts';

const FIRST = aPreset({ command: ['cat'] });
const SECOND = aPreset({ command: ['tac'], env: ['A_NAME'] });
const PRESETS = [SECOND, null, FIRST];
const VERSIONS: EngineVersion[] = PRESETS.map((preset, index) => ({
  version: PRESETS.length - index,
  savedAt: 1_000,
  savedBy: index === 2 ? 'cli' : 'person',
  preset,
}));
const DETAIL: EngineDetail = { entry: ownEntryOf(SECOND, 3, 1_000), versions: VERSIONS };

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.ledgers.set('/v1/engines/my-agent', DETAIL);
});
afterEach(() => cloud.close());
const run = (...args: string[]) => runOn(cloud, 'engines', ...args);

describe('pilothouse engines history', () => {
  it('lists each version with who saved it, a removal too', async () => {
    const { exitCode, stdout } = await run('history', 'my-agent');
    expect(exitCode).toBe(0);
    const lines = stdout.trim().split('\n').slice(-3);
    expect(lines[0]).toMatch(/^3 .* console +tac$/);
    expect(lines[1]).toMatch(/^2 .* console +removed$/);
    expect(lines[2]).toMatch(/^1 .* command line +cat$/);
  });

  it('compares two, up to the newest where none is named', async () => {
    const { stdout } = await run('history', 'my-agent', '--diff', '1');
    expect(stdout).toMatch(/^Version 1 → 3/);
    expect(stdout).toMatch(/^- +"cat"$/m);
    expect(stdout).toMatch(/^\+ +"tac"$/m);
    const { stdout: same } = await run('history', 'my-agent', '--diff', '1', '--to', '1');
    expect(same.trim()).toBe('Versions 1 and 1 are the same.');
  });

  it('gives the same to programs', async () => {
    const all = JSON.parse((await run('history', 'my-agent', '--json')).stdout) as unknown;
    expect(all).toEqual({ items: VERSIONS });
    const told = await run('history', 'my-agent', '--diff', '2', '--to', '1', '--json');
    expect(JSON.parse(told.stdout)).toMatchObject({
      from: { version: 2, preset: null },
      to: { version: 1 },
      lines: expect.arrayContaining(['+    "cat"']),
    });
  });

  it('refuses what is no version, and one that there is not, with how to see them', async () => {
    const word = await run('history', 'my-agent', '--diff', 'first');
    expect([word.exitCode, word.stderr]).toEqual([EXIT.usage, expect.stringContaining('number')]);
    const none = await run('history', 'my-agent', '--diff', '9');
    expect(none.exitCode).toBe(EXIT.refused);
    expect(none.stderr).toContain('pilothouse engines history my-agent');
  });

  it('says of an engine of the product that it has none', async () => {
    cloud.ledgers.set('/v1/engines/claude', { entry: BUILT_IN_ENTRIES[0], versions: [] });
    const { exitCode, stdout } = await run('history', 'claude');
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('comes with Pilothouse')]);
  });
});

describe('pilothouse engines restore', () => {
  it('saves the older one as the next, and says that each machine decides anew', async () => {
    const { exitCode, stdout } = await run('restore', 'my-agent', '1');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Saved my-agent, version 4: cat');
    expect(stdout).toContain('pilothouse engines approve my-agent');
  });

  it.each([
    ['2', /is its removal/],
    ['3', /as in version 3 already/],
    ['7', /has no version 7/],
  ])('refuses version %s, and nothing is saved', async (version, sentence) => {
    const { exitCode, stderr } = await run('restore', 'my-agent', version);
    expect([exitCode, stderr]).toEqual([EXIT.refused, expect.stringMatching(sentence)]);
  });

  it('follows the version that stands, and brings back one that was removed', () => {
    expect(decideRestore('my-agent', DETAIL, 1)).toEqual([FIRST, 3]);
    expect(decideRestore('my-agent', { ...DETAIL, entry: null }, 3)).toEqual([SECOND, 0]);
  });
});

describe('the lines of a comparison', () => {
  it('are none between the same, and all of it beside a removal', () => {
    expect(compare(FIRST, aPreset({ command: ['cat'] }))).toEqual([]);
    expect(compare(null, FIRST).every((line) => line.startsWith('+'))).toBe(true);
    expect(compare(FIRST, null).every((line) => line.startsWith('-'))).toBe(true);
  });
});
