import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine, EngineLaunch } from '../../../runner/engines/engine.ts';
import { engineOfPreset } from '../../../runner/engines/presets.ts';
import { ENGINES, probeEngine } from '../../../runner/engines/registry.ts';
import { collectSecrets } from '../../../runner/guard/secrets.ts';
import { LaunchRefused } from '../../../runner/sessions/launcher.ts';
import { resolveCredential } from '../../../runner/sessions/resolve-credential.ts';
import { aPreset } from '../../support/preset-builders.ts';
import { anEngineLaunch } from '../engines/harness.ts';

const home = mkdtempSync(join(tmpdir(), 'pilothouse-resolve-'));
const bin = join(home, 'bin');
const ordinary = { HOME: home, PATH: `${bin}:/usr/bin:/bin` };

/** Programs that tell a version, and of which codex says, as an error, whether somebody has logged in. */
beforeAll(() => {
  mkdirSync(bin);
  for (const name of ['claude', 'codex', 'gemini', 'opencode', 'qwen', 'agent']) {
    writeFileSync(
      join(bin, name),
      '#!/bin/sh\n[ "$1" = login ] && echo Logged in using ChatGPT >&2\necho 99.0.0\n',
    );
    chmodSync(join(bin, name), 0o755);
  }
});
afterAll(() => rmSync(home, { recursive: true }));

const formOf = (id: string, form: string | null = null): Engine => {
  const found = ENGINES.find((engine) => engine.id === id && engine.form === form);
  if (!found) throw new Error(`${id} ${form}`);
  return found;
};
const variant = engineOfPreset(
  aPreset({ parser: 'claude-stream-json', command: ['claude'], env: ['ANTHROPIC_API_KEY'] }),
);

type Case = [name: string, engine: Engine, env: object, dropped: string[], told: object];
const CASES: Case[] = [
  [
    'claude',
    formOf('claude'),
    { ANTHROPIC_API_KEY: 'the-api-key', CLAUDE_CODE_OAUTH_TOKEN: 'the-token' },
    ['ANTHROPIC_API_KEY'],
    { credential: 'CLAUDE_CODE_OAUTH_TOKEN', payer: 'subscription' },
  ],
  ...['exec', 'app-server'].map((form): Case => [
    `codex ${form}`,
    formOf('codex', form === 'exec' ? null : form),
    { CODEX_API_KEY: 'the-codex-key' },
    ['CODEX_API_KEY'],
    { credential: 'codex login (ChatGPT)', payer: 'subscription' },
  ]),
  ...[null, 'acp'].map((form): Case => [
    `gemini ${form ?? 'one-shot'}`,
    formOf('gemini', form),
    { GOOGLE_API_KEY: 'the-google-key', GEMINI_API_KEY: 'the-gemini-key' },
    ['GEMINI_API_KEY'],
    { failure: 'auth_missing' },
  ]),
  [
    'opencode',
    formOf('opencode'),
    { ANTHROPIC_API_KEY: 'the-api-key', OPENAI_API_KEY: 'the-other-key' },
    ['ANTHROPIC_API_KEY'],
    { credential: 'OPENAI_API_KEY', payer: 'api-key' },
  ],
  [
    'qwen',
    formOf('qwen'),
    {
      OPENAI_API_KEY: 'the-api-key',
      OPENAI_BASE_URL: 'https://a.example',
      OPENAI_MODEL: 'm',
      GEMINI_API_KEY: 'the-other-key',
      GEMINI_MODEL: 'n',
    },
    ['OPENAI_API_KEY'],
    { credential: 'GEMINI_API_KEY', payer: 'api-key' },
  ],
  [
    'an engine of one’s own that reads claude’s words',
    variant,
    { ANTHROPIC_AUTH_TOKEN: 'the-gateway-token', ANTHROPIC_API_KEY: 'the-api-key' },
    [],
    { credential: 'ANTHROPIC_API_KEY', payer: 'api-key' },
  ],
  [
    'a command of one’s own, of which nobody can know it',
    engineOfPreset(aPreset({ command: ['agent'], env: ['OPENAI_API_KEY'] })),
    { ANTHROPIC_API_KEY: 'the-api-key', OPENAI_API_KEY: 'the-other-key' },
    [],
    { credential: null, payer: 'unknown' },
  ],
];

const probe = (engine: Engine, env: NodeJS.ProcessEnv = {}) => probeEngine(engine, env);

/** What a launch says when its process gets the machine's environment without `dropped`. */
async function tellOf(engine: Engine, env: object, dropped: string[]): Promise<EngineLaunch> {
  const machine: NodeJS.ProcessEnv = { ...ordinary, ...env };
  const { executable, version, payer, credential } = await probe(engine, machine);
  const launch = anEngineLaunch({ executable: executable ?? '', version, payer, credential });
  const plan = engine.plan(launch, machine, { turnId: 'trn_1' as never, text: 'go' });
  const process = Object.fromEntries(
    Object.entries(plan.env).filter(([name]) => !dropped.includes(name)),
  );
  return resolveCredential({ probe }, engine, launch, { machine, process });
}

describe.each(CASES)('the credential of %s', (_name, engine, env, dropped, told) => {
  it('is the one of its process’s own environment, whatever else the machine has (S3)', async () => {
    const resolved = tellOf(engine, env, dropped);
    if ('failure' in told) {
      const refused = await resolved.catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(LaunchRefused);
      expect((refused as LaunchRefused).refusal.error.code).toBe(told.failure);
      return;
    }
    const { payer, credential } = await resolved;
    expect({ payer, credential }).toEqual(told);
    expect(JSON.stringify(await resolved)).not.toMatch(/the-[a-z]+-?(key|token)/);
    // Claude says itself who pays; of the others the ledger's rows are labelled from here on.
    const state = engine.open(await resolved).state as { payer?: string };
    if (engine.id !== 'claude' && 'payer' in state && engine !== variant)
      expect(state.payer).toBe(payer);
  });

  it('is among what is redacted, with every other secret that the process gets', () => {
    const machine: NodeJS.ProcessEnv = { ...ordinary, ...env, SOME_PASSWORD: 'very-secret-words' };
    const plan = engine.plan(anEngineLaunch(), machine, { turnId: 'trn_1' as never, text: 'go' });
    const known = new Set(
      collectSecrets(machine, engine.secretVariables).map(({ value }) => value),
    );
    const given = collectSecrets(plan.env, engine.secretVariables).map(({ value }) => value);
    for (const value of given) expect(known).toContain(value);
    expect(Object.keys(env).length).toBeGreaterThan(0);
  });
});

it('names every form of every engine that asks a model', () => {
  const named = new Set(CASES.map(([, engine]) => engine));
  const missing = ENGINES.filter((engine) => !named.has(engine)).map(({ id }) => id);
  expect(missing).toEqual(['rehearsal']);
});

it('is not looked for again where the process gets what the machine has', async () => {
  const machine = { ...ordinary, ANTHROPIC_API_KEY: 'the-api-key' };
  const never = () => Promise.reject(new Error('looked again'));
  const launch = anEngineLaunch({ credential: 'ANTHROPIC_API_KEY' });
  const env = { machine, process: machine };
  expect(await resolveCredential({ probe: never }, formOf('claude'), launch, env)).toBe(launch);
});
