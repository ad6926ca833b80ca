import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addressesOf } from '../../../../runner/engines/opencode/addresses.ts';
import { opencode, permissionOf } from '../../../../runner/engines/opencode/preset.ts';
import { decideLogin, probeOpencode } from '../../../../runner/engines/opencode/probe.ts';
import { anEngineLaunch } from '../harness.ts';

const configOf = (env: NodeJS.ProcessEnv, spec: object = {}): Record<string, unknown> =>
  JSON.parse(
    opencode.plan(anEngineLaunch({}, spec), env).env['OPENCODE_CONFIG_CONTENT'] ?? '',
  ) as Record<string, unknown>;

describe('the process of opencode', () => {
  test('speaks the protocol, with its rules and its model in the environment alone', () => {
    const plan = opencode.plan(anEngineLaunch({}, { model: 'anthropic/x' }), { A_KEY: 'canary' });
    expect(plan.argv.slice(1)).toEqual(['acp']);
    expect(plan.input).toBeUndefined();
    expect(configOf({}, { model: 'anthropic/x' })).toMatchObject({
      model: 'anthropic/x',
      permission: { '*': 'ask', read: { '*': 'allow', '*.env': 'ask' } },
      agent: { title: { disable: true } },
    });
  });

  test('keeps what a person set for it, and says only who is asked', () => {
    const own = JSON.stringify({ model: 'own/one', agent: { build: { mode: 'primary' } } });
    expect(configOf({ OPENCODE_CONFIG_CONTENT: own }, { approvals: 'bypass' })).toEqual({
      model: 'own/one',
      agent: { build: { mode: 'primary' }, title: { disable: true } },
      permission: { '*': 'allow', task: 'deny' },
    });
    expect(configOf({ OPENCODE_CONFIG_CONTENT: 'not JSON' })).toHaveProperty('permission');
  });

  test('allows a plan nothing but reading', () => {
    expect(permissionOf('plan')).toMatchObject({ '*': 'deny', grep: 'allow' });
    expect(permissionOf('accept_edits')).toMatchObject({ '*': 'ask', edit: 'allow' });
  });
});

describe('the login of opencode', () => {
  test.each([
    [{ ANTHROPIC_API_KEY: 'k' }, {}, { payer: 'api-key', credential: 'ANTHROPIC_API_KEY' }],
    [
      {},
      { anthropic: { type: 'oauth' } },
      { payer: 'subscription', credential: 'opencode auth (anthropic)' },
    ],
    [
      { OPENAI_API_KEY: 'k' },
      { anthropic: { type: 'oauth' } },
      { payer: 'unknown', credential: 'OPENAI_API_KEY, opencode auth (anthropic)' },
    ],
    [{}, {}, { payer: 'unknown', credential: null }],
  ])('of %j and %j is %j', (env, logins, login) => {
    expect(decideLogin(env, logins)).toEqual(login);
  });
});

describe('the addresses of opencode', () => {
  test('are those of its keys and logins, with what renews a login', () => {
    expect(addressesOf({ XAI_API_KEY: 'k' }, [], [])).not.toContain('https://auth.x.ai');
    expect(addressesOf({}, ['xai', 'openai', 'unheard-of'], [])).toEqual([
      'https://models.dev',
      'https://api.x.ai',
      'https://auth.x.ai',
      'https://api.openai.com',
      'https://chatgpt.com',
      'https://auth.openai.com',
    ]);
  });
});

describe('the readiness of opencode', () => {
  const aMachine = (version: string | null, login: object | null = null) => {
    const home = mkdtempSync(join(tmpdir(), 'opencode-'));
    mkdirSync(join(home, '.opencode', 'bin'), { recursive: true });
    if (version !== null) {
      const file = join(home, '.opencode', 'bin', 'opencode');
      writeFileSync(file, `#!/bin/sh\necho ${version}\n`);
      chmodSync(file, 0o755);
    }
    const data = join(home, '.local', 'share', 'opencode');
    mkdirSync(data, { recursive: true });
    if (login) writeFileSync(join(data, 'auth.json'), JSON.stringify(login));
    return { HOME: home, PATH: '/usr/bin:/bin' };
  };

  test('is found where its installer puts it, with the names of its logins and no value', async () => {
    const found = await probeOpencode(
      aMachine('1.18.33', { anthropic: { type: 'api', key: 'canary' } }),
    );
    expect(found).toMatchObject({
      ready: true,
      version: '1.18.33',
      payer: 'api-key',
      credential: 'opencode auth (anthropic)',
      asks: ['ask', 'accept_edits'],
    });
    expect(JSON.stringify(found)).not.toContain('canary');
  });

  test.each([
    [null, 'npm install --global opencode-ai'],
    ['1.2.0', 'opencode upgrade'],
    ['nothing', 'npm install --global opencode-ai'],
  ])('with version %s says %s', async (version, remedy) => {
    const found = await probeOpencode(aMachine(version));
    expect(found.ready).toBe(false);
    expect(found.remedy).toContain(remedy);
  });
});
