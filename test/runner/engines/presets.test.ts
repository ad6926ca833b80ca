import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BUILT_IN_PRESETS } from '../../../protocol/builtin-presets.ts';
import { capabilitiesOf } from '../../../protocol/preset.ts';
import { engineOfPreset } from '../../../runner/engines/presets.ts';
import { findEngine } from '../../../runner/engines/registry.ts';
import { aPreset } from '../../support/preset-builders.ts';
import { anEngineLaunch, FIRST } from './harness.ts';

let bin: string;
beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'pilothouse-presets-'));
});
afterEach(() => rmSync(bin, { recursive: true, force: true }));

const anExecutable = (name: string, script: string): string => {
  const path = join(bin, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
};
const env = () => ({ PATH: bin, HOME: bin });

describe('the verified presets', () => {
  test.each(BUILT_IN_PRESETS.filter(({ verified }) => verified).map(({ preset }) => preset))(
    '$id says in data what the runner’s own engine does',
    (preset) => {
      const engine = findEngine(preset.id);
      expect(engine?.label).toBe(preset.label);
      const structuredAnswer = engine?.aside !== undefined;
      expect({ ...engine?.capabilities, structuredAnswer }).toMatchObject(capabilitiesOf(preset));
    },
  );

  test('leave out no engine that the runner has a parser for', () => {
    const unverified = BUILT_IN_PRESETS.filter(({ verified }) => !verified);
    expect(unverified.map(({ preset }) => findEngine(preset.id))).toEqual([null, null, null]);
  });
});

describe('a variant of a known engine', () => {
  test.each([
    ['claude-stream-json', ['claude', '--effort', 'high'], '-p'],
    ['codex-exec-json', ['codex', '-c', 'model="x"'], 'exec'],
    ['gemini-stream-json', ['gemini', '--sandbox'], '--output-format'],
  ] as const)('of %s has its own words before those of the parser', (parser, command, next) => {
    const [program, ...words] = command;
    const engine = engineOfPreset(aPreset({ parser, command: [program, ...words] }));
    const { argv } = engine.plan(
      anEngineLaunch({ executable: '/bin/x' }),
      {},
      {
        turnId: FIRST,
        text: 'Go.',
      },
    );
    expect(argv.slice(0, words.length + 1)).toEqual(['/bin/x', ...words]);
    expect(argv.indexOf(next)).toBeGreaterThan(words.length);
    expect(engine).toMatchObject({ id: 'my-agent', label: 'My agent' });
  });

  test('sees of the environment what it names', () => {
    const preset = aPreset({ parser: 'claude-stream-json', command: ['claude'], env: ['A_KEY'] });
    const plan = engineOfPreset(preset).plan(anEngineLaunch(), { A_KEY: 'a', B_KEY: 'b' });
    expect(plan.env).toMatchObject({ A_KEY: 'a', DISABLE_AUTOUPDATER: '1' });
    expect(plan.env).not.toHaveProperty('B_KEY');
  });

  test('is looked at as the engine that it is one of, with its own program', async () => {
    anExecutable('my-claude', 'echo "2.1.300 (Claude Code)"');
    const preset = aPreset({ parser: 'claude-stream-json', command: ['my-claude'] });
    const look = (extra: NodeJS.ProcessEnv) => engineOfPreset(preset).probe({ ...env(), ...extra });
    expect(await look({ ANTHROPIC_API_KEY: 'k' })).toMatchObject({
      engineId: 'my-agent',
      label: 'My agent',
      ready: true,
      version: '2.1.300',
      payer: 'api-key',
      executable: join(bin, 'my-claude'),
    });
    const limited = engineOfPreset({ ...preset, env: [] });
    // A credential that a session would not get makes nothing ready.
    expect(await limited.probe({ ...env(), ANTHROPIC_API_KEY: 'k' })).toMatchObject({
      ready: false,
      credential: null,
    });
  });
});

describe('a command', () => {
  test('is ready where its program is, and is not started for that', async () => {
    const path = anExecutable('agent', `touch ${bin}/started`);
    const look = (command: [string, ...string[]]) =>
      engineOfPreset(aPreset({ command })).probe(env());
    expect(await look(['agent'])).toMatchObject({ ready: true, executable: path, approvals: [] });
    expect(await look([path])).toMatchObject({ ready: true, executable: path });
    expect(await engineOfPreset(aPreset({ command: ['ls'] })).probe({ PATH: bin })).toMatchObject({
      ready: false,
      executable: null,
      problem: expect.stringContaining('ls is not on the PATH'),
    });
    expect(await look(['/nowhere/agent'])).toMatchObject({ ready: false, executable: null });
    expect(existsSync(join(bin, 'started'))).toBe(false);
  });

  test.each([
    ['echo agent 1.4.0', true],
    ['echo agent 1.1.9', false],
    ['true', false],
  ])('that answers `%s` may run from 1.2.0 on: %s', async (script, ready) => {
    anExecutable('agent', script);
    const readiness = await engineOfPreset(
      aPreset({ command: ['agent'], minVersion: '1.2.0' }),
    ).probe(env());
    expect(readiness.ready).toBe(ready);
    expect(readiness.failure).toBe(ready ? undefined : 'engine_too_old');
  });
});
