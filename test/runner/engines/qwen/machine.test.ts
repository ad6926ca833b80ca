import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decideLogin } from '../../../../runner/engines/qwen/credential.ts';
import { SESSION_SETTINGS } from '../../../../runner/engines/qwen/home.ts';
import { qwen } from '../../../../runner/engines/qwen/preset.ts';
import { probeQwen } from '../../../../runner/engines/qwen/probe.ts';
import { addressesOf, routeQwen } from '../../../../runner/engines/qwen/route.ts';
import { decideSystemSettings } from '../../../../runner/engines/qwen/settings.ts';
import { CANARY } from '../canary.ts';
import { anEngineLaunch } from '../harness.ts';

const OPENAI = { OPENAI_API_KEY: CANARY, OPENAI_BASE_URL: 'http://x/v1', OPENAI_MODEL: 'm' };
const chosen = (selectedType: string) => ({ security: { auth: { selectedType } } });
const described = {
  ...chosen('openai'),
  model: { name: 'qwen3' },
  modelProviders: {
    openai: [{ id: 'qwen3', envKey: 'BAILIAN_CODING_PLAN_API_KEY', baseUrl: 'https://plan/v1' }],
  },
};

describe('the login of qwen', () => {
  test.each([
    ['three variables', {}, Object.keys(OPENAI), 'api-key', 'OPENAI_API_KEY'],
    [
      'a key of the chosen kind',
      chosen('anthropic'),
      ['ANTHROPIC_API_KEY'],
      'api-key',
      'ANTHROPIC_API_KEY',
    ],
    [
      'the key of a plan',
      described,
      ['BAILIAN_CODING_PLAN_API_KEY'],
      'subscription',
      'BAILIAN_CODING_PLAN_API_KEY',
    ],
    [
      'a key in the settings',
      { ...described, env: { BAILIAN_CODING_PLAN_API_KEY: 'k' } },
      [],
      'subscription',
      'settings.json (BAILIAN_CODING_PLAN_API_KEY)',
    ],
  ] as const)('is %s', (_what, own, names, payer, credential) => {
    const isSet = (name: string) => (names as readonly string[]).includes(name);
    expect(decideLogin({ own, isSet })).toEqual({
      kind: 'found',
      payer,
      credential,
    });
  });

  test.each([
    ['nothing', {}, [], 'not logged in'],
    ['a key alone, which it does not take', {}, ['OPENAI_API_KEY'], 'not logged in'],
    ['the login that its maker ended', chosen('qwen-oauth'), [], 'ended'],
    ['a choice without its key', chosen('openai'), [], 'OPENAI_API_KEY is not there'],
    ['a kind that nobody knows', chosen('magic'), [], 'magic'],
  ] as const)('is missing with %s', (_what, own, names, words) => {
    const isSet = (name: string) => (names as readonly string[]).includes(name);
    const found = decideLogin({ own, isSet });
    expect(found).toMatchObject({ kind: 'missing', problem: expect.stringContaining(words) });
  });
});

describe('the way of qwen’s calls', () => {
  test('leads through the gate for a key in the environment, without it', () => {
    const route = routeQwen(OPENAI, 'OPENAI_API_KEY', {});
    if ('problem' in route) throw new Error(route.problem);
    expect([route.upstream, route.headers]).toEqual([
      'http://x/v1',
      { authorization: `Bearer ${CANARY}` },
    ]);
    const plan = {
      argv: ['qwen'] as [string],
      directory: '/',
      env: { OPENAI_BASE_URL: 'http://x' },
    };
    expect(route.through(plan, 'http://gate').env).toEqual({ OPENAI_BASE_URL: 'http://gate' });
  });

  test.each([
    [{ ...OPENAI }, 'settings.json (apiKey)', {}],
    [OPENAI, 'OPENAI_API_KEY', described],
    [{ ANTHROPIC_API_KEY: CANARY }, 'ANTHROPIC_API_KEY', chosen('anthropic')],
  ])('goes past it, and says why, for %j by %s', (env, credential, own) => {
    const route = routeQwen(env, credential, own);
    expect(route).toHaveProperty('problem');
    expect(JSON.stringify(route)).not.toContain(CANARY);
  });

  test('leads to each address that is named', () => {
    expect(addressesOf({ OPENAI_BASE_URL: 'http://x/v1' }, described)).toEqual([
      'https://api.openai.com/v1',
      'http://x/v1',
      'https://plan/v1',
    ]);
  });
});

describe('the process of qwen', () => {
  const plan = (env: NodeJS.ProcessEnv = {}, approvals: 'ask' | 'bypass' = 'bypass') =>
    qwen.plan(anEngineLaunch({}, { approvals }), env);

  test('offers its model no agents, and denies what the policy does, in every mode', () => {
    for (const mode of ['ask', 'bypass'] as const) {
      const { argv } = plan({}, mode);
      expect(argv).toContain('--exclude-tools=agent');
      expect(argv).toContain('--exclude-tools=Read(//**/.env)');
    }
  });

  test('has our settings in the place of those for the machine, where there are none', () => {
    const own = { QWEN_CODE_SYSTEM_SETTINGS_PATH: '/etc/own.json', QWEN_CODE: '1' };
    expect(plan().env['QWEN_CODE_SYSTEM_SETTINGS_PATH']).toBe(SESSION_SETTINGS);
    expect(plan(own).env['QWEN_CODE_SYSTEM_SETTINGS_PATH']).toBe('/etc/own.json');
    expect(plan(own).env).not.toHaveProperty('QWEN_CODE');
  });

  test('is not begun where those for the machine leave its memory on', () => {
    const off = { memory: { enableManagedAutoMemory: false } };
    expect(decideSystemSettings('/etc/own.json', JSON.stringify(off))).toEqual([]);
    expect(decideSystemSettings('/etc/own.json', '{}')).toMatchObject([
      { problem: expect.stringContaining('unseen') },
    ]);
  });
});

describe('the readiness of qwen', () => {
  async function aMachine(files: Record<string, string>, version = '0.24.4') {
    const home = await mkdtemp(join(tmpdir(), 'home-'));
    const manifest = JSON.stringify({ name: '@qwen-code/qwen-code', version });
    const all = { ...files, 'package.json': manifest, qwen: '#!/bin/sh\nexit 9\n' };
    for (const [path, text] of Object.entries(all)) {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await writeFile(join(home, path), text);
    }
    await chmod(join(home, 'qwen'), 0o755);
    return { HOME: home, PATH: home };
  }

  test('is told without starting it, with the key in a file of its own', async () => {
    const env = Object.entries(OPENAI).map(([name, value]) => `${name}=${value}\n`);
    const found = await probeQwen(await aMachine({ '.qwen/.env': env.join('') }));
    expect(found).toMatchObject({ ready: true, version: '0.24.4', credential: 'OPENAI_API_KEY' });
    expect(JSON.stringify(found)).not.toContain(CANARY);
  });

  test('warns of settings that it does not read, and refuses what is too old', async () => {
    const broken = await probeQwen({
      ...(await aMachine({ '.qwen/settings.json': '{' })),
      ...OPENAI,
    });
    expect(broken).toMatchObject({ ready: true, warnings: [{ problem: expect.any(String) }] });
    const old = await probeQwen(await aMachine({}, '0.9.0'));
    expect(old).toMatchObject({ ready: false, failure: 'engine_too_old' });
  });
});
