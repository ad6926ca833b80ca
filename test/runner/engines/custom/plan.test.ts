import { describe, expect, test } from 'vitest';
import { engineOfPreset } from '../../../../runner/engines/presets.ts';
import { aPreset } from '../../../support/preset-builders.ts';
import type { EnginePresetInput } from '../../../../protocol/preset.ts';
import { anEngineLaunch, ENGINE_SESSION, FIRST } from '../harness.ts';

const plan = (
  over: Partial<EnginePresetInput>,
  text = 'Go.',
  { env = {}, ...launch }: { env?: NodeJS.ProcessEnv; resume?: boolean } = {},
) =>
  engineOfPreset(aPreset(over)).plan(anEngineLaunch({ executable: '/bin/agent', ...launch }), env, {
    turnId: FIRST,
    text,
  });

describe('the process of a command', () => {
  test('reads its instruction from its input, to the letter', () => {
    const { argv, input } = plan({ command: ['agent', '--once'] }, '--all /clear $HOME\n');
    expect(argv).toEqual(['/bin/agent', '--once']);
    expect(input).toBe('--all /clear $HOME\n');
  });

  test('or gets it as its last argument, which is no option whatever it begins with', () => {
    const words = plan({ command: ['agent', '-p'], input: 'argument' }, '--yolo now');
    expect(words.argv).toEqual(['/bin/agent', '-p', ' --yolo now']);
    expect(words.input).toBe('');
    expect(plan({ input: 'argument' }, 'a\0b').argv.at(-1)).toBe('ab');
  });

  test('is refused what the system would not pass on', () => {
    const long = 'é'.repeat(70_000);
    expect(() => plan({ input: 'argument' }, long)).toThrow(/131071 bytes/);
    expect(plan({}, long).input).toBe(long);
  });

  test('begins and goes on with a conversation in its own words', () => {
    const resume = { begin: ['--new={session}'], again: ['--continue', '{session}'] };
    expect(plan({ resume }).argv.slice(1)).toEqual([`--new=${ENGINE_SESSION}`]);
    expect(plan({ resume }, 'Go.', { resume: true }).argv.slice(1)).toEqual([
      '--continue',
      ENGINE_SESSION,
    ]);
  });

  test('gets the variables that it names and those that every program needs, no others', () => {
    const env = { PATH: '/bin', LC_ALL: 'C', AGENT_KEY: 'k', OTHER_KEY: 'o', CLAUDECODE: '1' };
    expect(plan({ env: ['AGENT_KEY'] }, 'x', { env }).env).toEqual({
      PATH: '/bin',
      LC_ALL: 'C',
      AGENT_KEY: 'k',
    });
    const { CLAUDECODE: _mark, ...rest } = env;
    expect(plan({}, 'x', { env }).env).toEqual(rest);
  });

  test('has the credentials of every known engine redacted: it may start each of them', () => {
    const { secretVariables, secretFiles } = engineOfPreset(aPreset());
    expect(secretVariables).toEqual(
      expect.arrayContaining(['ANTHROPIC_API_KEY', 'CODEX_API_KEY', 'GEMINI_API_KEY']),
    );
    expect(secretFiles({ HOME: '/home/dev' }).length).toBeGreaterThan(5);
  });
});
