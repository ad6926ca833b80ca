import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BUILT_IN_PRESETS } from '../../../protocol/builtin-presets.ts';
import { PARSERS, parserId } from '../../../protocol/parsers.ts';
import { capabilitiesOf } from '../../../protocol/preset.ts';
import { engineOfPreset } from '../../../runner/engines/presets.ts';
import { ENGINES, findEngine } from '../../../runner/engines/registry.ts';
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

const ANY = ['acp', 'text'];
const FORMS = parserId.options.filter((parser) => !ANY.includes(parser));

describe('the parsers', () => {
  test.each(FORMS)('of %s can do what the form can that it reads', (parser) => {
    const engine = engineOfPreset(aPreset({ parser, command: ['x'] }));
    const { keys, steers, capabilities } = PARSERS[parser];
    const structuredAnswer = engine.aside !== undefined;
    const can = { steer: undefined, ...engine.capabilities, structuredAnswer };
    expect(can).toMatchObject({ ...capabilities, keys, steer: steers || undefined });
    expect(engine.interactivePlan !== undefined).toBe(keys);
    expect(engine.encodeSteer !== undefined).toBe(steers);
  });

  test('leave out no form of an engine that asks a model', () => {
    const programs = FORMS.map((parser) => {
      const { form, programs: names = [] } = engineOfPreset(aPreset({ parser }));
      return `${names[1]} ${form}`;
    });
    const own = ENGINES.filter(({ id }) => id !== 'rehearsal');
    expect(programs.toSorted()).toEqual(own.map(({ id, form }) => `${id} ${form}`).toSorted());
  });
});

describe('a variant of a known engine', () => {
  test.each([
    ['claude-stream-json', ['claude', '--effort', 'high'], '-p'],
    ['codex-exec-json', ['codex', '-c', 'model="x"'], 'exec'],
    ['codex-app-server', ['codex', '-c', 'model="x"'], 'app-server'],
    ['gemini-stream-json', ['gemini', '--sandbox'], '--output-format'],
    ['gemini-acp', ['gemini', '--sandbox'], '--acp'],
    ['opencode-acp', ['opencode', '--print-logs'], 'acp'],
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

  test.each([
    ['claude-stream-json', ['npx', 'claude', '--effort', 'high'], 'CLAUDE_CONFIG_DIR'],
    ['codex-exec-json', ['npx', 'codex', '-c', 'model="x"'], 'CODEX_HOME'],
    ['codex-app-server', ['npx', 'codex', '-c', 'model="x"'], 'CODEX_HOME'],
    ['gemini-stream-json', ['npx', 'gemini', '--sandbox'], 'GEMINI_CLI_HOME'],
    ['opencode-acp', ['npx', 'opencode', '--print-logs'], 'XDG_DATA_HOME'],
  ] as const)('of %s is in its terminal what was approved', (parser, command, place) => {
    const [program, ...words] = command;
    const preset = aPreset({ parser, command: [program, ...words], env: ['A_KEY', place] });
    const engine = engineOfPreset(preset);
    const given = { A_KEY: 'a', SECRET_TOKEN: 's', [place]: bin, PATH: bin, HOME: '/home/dev' };
    const launch = anEngineLaunch({ executable: '/bin/npx', resume: true });
    const headless = engine.plan(launch, given, { turnId: FIRST, text: 'Go.' });
    const terminal = engine.interactivePlan?.(launch, given);
    expect(terminal?.argv.slice(0, words.length + 1)).toEqual(['/bin/npx', ...words]);
    expect(terminal?.argv).toContain(launch.engineSessionId);
    expect(terminal?.env).toEqual(headless.env);
    expect(terminal?.env).toMatchObject({ A_KEY: 'a', [place]: bin });
    expect(terminal?.env).not.toHaveProperty('SECRET_TOKEN');
    expect(engine.home?.(given).own[0]?.startsWith(bin)).toBe(true);
  });

  test.each(FORMS)(
    'of %s is shown nothing else of the environment, whatever it is asked',
    async (parser) => {
      const engine = engineOfPreset(aPreset({ parser, command: ['x'], env: [] }));
      const looked = new Set<PropertyKey>();
      const watched: NodeJS.ProcessEnv = new Proxy(
        { SECRET_TOKEN: 's', HOME: bin, PATH: bin },
        { get: (env, name) => (looked.add(name), Reflect.get(env, name)) },
      );
      const launch = anEngineLaunch();
      const question = { turnId: FIRST, system: '', prompt: '', schema: {}, maxMicroUsd: null };
      const look = { tail: async () => null, list: async () => [] };
      engine.plan(launch, watched);
      engine.interactivePlan?.(launch, watched);
      engine.aside?.plan(launch, watched, question);
      engine.modelRoute?.(watched, 'SECRET_TOKEN');
      engine.modelAddresses?.(watched);
      engine.ownModel?.(watched);
      engine.sealedOnly?.(watched);
      engine.home?.(watched);
      await engine.terminalBooks?.read(look, { engineSessionId: 'x', directory: bin }, watched);
      // The list is made of each variable once: an engine itself asks for those it has a use for.
      expect(
        [...looked].every((name) => ['SECRET_TOKEN', 'HOME', 'PATH'].includes(String(name))),
      ).toBe(true);
      expect(looked.size).toBeGreaterThan(0);
    },
  );

  test('has for secrets what lies where the runner looks and where it looks itself', () => {
    const engine = engineOfPreset(
      aPreset({ parser: 'claude-stream-json', command: ['x'], env: [] }),
    );
    const files = engine.secretFiles({ CLAUDE_CONFIG_DIR: '/elsewhere', HOME: bin });
    expect(files).toContain('/elsewhere/.credentials.json');
    expect(files).toContain(join(bin, '.claude', '.credentials.json'));
    expect(new Set(files).size).toBe(files.length);
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
