import { describe, expect, it } from 'vitest';
import {
  draftOf,
  EMPTY_ENGINE,
  type EngineDraft,
  presetOf,
  problemOf,
} from '../../../console/engines/draft.ts';
import { BUILT_IN_PRESETS } from '../../../protocol/builtin-presets.ts';
import { printPresetFile, readPresetFile } from '../../../protocol/engines.ts';
import { parsePreset } from '../../../protocol/preset.ts';
import { aPreset } from '../../support/preset-builders.ts';

const aDraft = (over: Partial<EngineDraft> = {}): EngineDraft => ({
  ...EMPTY_ENGINE,
  id: 'mine',
  label: 'Mine',
  command: 'agent',
  ...over,
});
const faultsOf = (over: Partial<EngineDraft>) => {
  const parsed = presetOf(aDraft(over));
  return parsed.ok ? [] : parsed.faults;
};

describe('the form of an engine', () => {
  const words = ['--session', '{session}'];
  it.each([
    ...BUILT_IN_PRESETS.map(({ preset }) => preset),
    aPreset({ command: ['sh', '-c', 'cat; echo done'], env: ['A', 'B'], minVersion: '1.2' }),
    aPreset({ input: 'argument', env: [], resume: { begin: words, again: words } }),
  ])('shows $id and makes the same of it again', (preset) => {
    expect(presetOf(draftOf(preset))).toEqual({ ok: true, preset });
  });

  it('takes a word a line, so that nothing has to be quoted', () => {
    expect(presetOf(aDraft({ command: 'sh\n-c\necho "a b"\n' }))).toMatchObject({
      preset: { command: ['sh', '-c', 'echo "a b"'] },
    });
  });

  it('leaves out what belongs to plain text when another parser is chosen', () => {
    const draft = aDraft({ parser: 'claude-stream-json', input: 'argument', resumeBegin: 'x' });
    expect(presetOf(draft)).toMatchObject({ ok: true, preset: { input: 'stdin', resume: null } });
  });

  it.each([
    [{ command: '' }, 'command', /^Name the program, then its words, a line each\.$/],
    [{ command: 'bin/agent' }, 'command', /^Word 1 must be the name of a program/],
    [{ id: 'Mine' }, 'id', /^This must be lower-case letters/],
    [{ allEnv: false, env: 'A, 1B' }, 'env', /^Word 2 must be the name of an environment/],
    [{ resumeBegin: '--new' }, 'resume begin', /^This must name \{session\}/],
  ])('says of %j what the field %s needs', (over, field, words_) => {
    expect(problemOf(faultsOf(over), field)).toMatch(words_);
    expect(problemOf(faultsOf({}), field)).toBeUndefined();
  });
});

describe('the file of an engine', () => {
  it('is read as it was written, and nothing else is one', () => {
    const preset = aPreset({ command: ['sh', '-c', 'x'] });
    expect(parsePreset(readPresetFile(printPresetFile(preset))?.preset)).toEqual({
      ok: true,
      preset,
    });
    for (const text of ['', '{}', '[]', JSON.stringify(preset)])
      expect(readPresetFile(text)).toBeNull();
  });
});
