import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_PRESETS, findBuiltIn } from '../../protocol/builtin-presets.ts';
import {
  capabilitiesOf,
  commandLineOf,
  describeFaults,
  enginePreset,
  isUnmetered,
  parsePreset,
  runnableOf,
} from '../../protocol/preset.ts';
import { aPreset } from '../support/preset-builders.ts';

const plain = { id: 'mine', label: 'Mine', parser: 'text', command: ['agent'] };
const faultsOf = (over: Record<string, unknown>): string => {
  const parsed = parsePreset({ ...plain, ...over });
  return parsed.ok ? '' : describeFaults(parsed.faults);
};

describe('a preset', () => {
  it('needs a name, a parser and a command; the rest is the careful choice', () => {
    expect(parsePreset(plain)).toEqual({
      ok: true,
      preset: { ...plain, input: 'stdin', resume: null, env: null, minVersion: null, prompts: [] },
    });
  });

  it.each([
    [{ id: 'Mine' }, /^id must be lower-case letters/],
    [{ label: '' }, /^label must say what the engine is called/],
    [{ parser: 'yaml' }, /^parser must be one of claude-stream-json, .*, text$/],
    [{ command: [] }, /^command must be a list of words, the program first/],
    [{ parser: undefined }, /^parser must be one of/],
    [{ command: 'agent --now' }, /^command must be a list of words/],
    [{ command: ['bin/agent'] }, /^command 1 must be the name of a program on the PATH/],
    [{ command: ['--flag'] }, /^command 1 must be the name of a program/],
    [{ command: ['agent', 'a\0b'] }, /^command 2 must not hold a zero byte/],
    [{ input: 'pipe' }, /^input must be "stdin" or "argument"/],
    [{ resume: { begin: ['--new'], again: ['{session}'] } }, /^resume begin must name \{session\}/],
    [{ env: ['A B'] }, /^env 1 must be the name of an environment variable/],
    [{ minVersion: 'latest' }, /^minVersion must be a version/],
    [{ budget: 5 }, /^budget is not a field of a preset; leave it out/],
    [{ capabilities: { usage: 'dollars' } }, /^capabilities is not a field/],
    [{ parser: 'codex-exec-json', input: 'argument' }, /^input is for plain text alone/],
  ])('that says %j is told what to write where', (over, words) => {
    expect(faultsOf(over)).toMatch(words);
  });

  it('is told every fault at once', () => {
    expect(faultsOf({ id: 'X', label: '' })).toMatch(/^id .*; label /);
  });
});

describe('what a preset can do', () => {
  it('is what its parser can see: nobody can write it otherwise', () => {
    expect(capabilitiesOf(aPreset())).toMatchObject({ usage: 'none', acts: 'none', resume: false });
    expect(isUnmetered(aPreset())).toBe(true);
    const variant = aPreset({ parser: 'claude-stream-json', command: ['claude'] });
    expect(capabilitiesOf(variant)).toMatchObject({ usage: 'dollars', acts: 'structured' });
    expect(isUnmetered(variant)).toBe(false);
  });

  it('is to go on in the same conversation where its command has words for that', () => {
    const words = ['--session', '{session}'];
    expect(capabilitiesOf(aPreset({ resume: { begin: words, again: words } })).resume).toBe(true);
  });
});

describe('what runs on a machine', () => {
  it('is the same whatever it is called', () => {
    expect(runnableOf(aPreset({ id: 'other', label: 'Other' }))).toBe(runnableOf(aPreset()));
    expect(runnableOf(aPreset({ env: ['B', 'A', 'A'] }))).toBe(
      runnableOf(aPreset({ env: ['A', 'B'] })),
    );
  });

  it.each([
    { command: ['cat', '-'] as [string, ...string[]] },
    { input: 'argument' as const },
    { env: [] },
    { minVersion: '1.0' },
    { resume: { begin: ['{session}'], again: ['{session}'] } },
  ])('is another thing with %j', (over) => {
    expect(runnableOf(aPreset(over))).not.toBe(runnableOf(aPreset()));
  });

  it('never reads the same for two different commands', () => {
    const command = fc.array(fc.string({ unit: 'binary', maxLength: 6 }), { maxLength: 4 });
    fc.assert(
      fc.property(command, command, (one, other) => {
        const lineOf = (words: string[]) => commandLineOf({ command: ['agent', ...words] });
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        expect(lineOf(one)).not.toBe(lineOf(other));
      }),
    );
  });

  it('shows what a terminal would act on, or turn around, instead of doing so', () => {
    const command: [string, ...string[]] = ['sh', '\u001b[2Kls', 'a\u202eb', 'x\ny'];
    expect(commandLineOf({ command })).toBe("sh $'\\u{1b}[2Kls' $'a\\u{202e}b' $'x\\u{a}y'");
  });

  it('reads as a shell would take it', () => {
    expect(commandLineOf({ command: ['sh', '-c', "echo 'a'; rm x", ''] })).toBe(
      `sh -c 'echo '\\''a'\\''; rm x' ''`,
    );
  });
});

describe('the presets that come with the product', () => {
  it('are valid, each with an id of its own, and say whether anybody has seen them work', () => {
    const ids = BUILT_IN_PRESETS.map(({ preset }) => preset.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      BUILT_IN_PRESETS.filter(({ verified }) => !verified).map((each) => each.preset.id),
    ).toEqual(['cursor-agent', 'grok', 'ollama']);
    for (const { preset } of BUILT_IN_PRESETS) expect(enginePreset.parse(preset)).toEqual(preset);
  });

  it('are found by id', () => {
    expect(findBuiltIn('ollama')?.preset.command).toEqual(['ollama', 'run', 'llama3']);
    expect(findBuiltIn('constructor')).toBeNull();
  });
});
