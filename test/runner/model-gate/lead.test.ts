import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelRoute, SpawnPlan } from '../../../runner/engines/engine.ts';
import { claude } from '../../../runner/engines/claude/preset.ts';
import { codex } from '../../../runner/engines/codex/preset.ts';
import { gemini } from '../../../runner/engines/gemini/preset.ts';
import { decideWay, leadPlan } from '../../../runner/model-gate/lead.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pilothouse-lead-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const KEY = 'sk-real-1234567890';
const GATE = { baseUrl: 'http://127.0.0.1:7/s/ses_a', placeholder: 'pilothouse-0' };
const write = (path: string, text: string) => {
  mkdirSync(join(home, path, '..'), { recursive: true });
  writeFileSync(join(home, path), text);
};
type Gated = Parameters<typeof decideWay>[0];
const way = (engine: Gated, credential: string, env: NodeJS.ProcessEnv = {}) =>
  decideWay(engine, { payer: 'api-key', credential }, { HOME: home, ...env }, true);
function routeOf(...asked: Parameters<typeof way>): ModelRoute {
  const found = way(...asked);
  if (found?.through !== 'gate') throw new Error(JSON.stringify(found));
  return found.route;
}
const problemOf = (...asked: Parameters<typeof way>): string => {
  const found = way(...asked);
  return found?.through === 'provider' ? (found.reason ?? '') : 'it goes through the gate';
};
const plan = (env: Record<string, string>): SpawnPlan => ({
  argv: ['engine', 'exec'],
  directory: '/',
  env,
});

describe('the calls of a session', () => {
  it('go through no gate where a subscription or nobody pays, or the machine says no', () => {
    const env = { HOME: home, ANTHROPIC_API_KEY: KEY };
    for (const payer of ['subscription', 'unknown'] as const)
      expect(decideWay(claude, { payer, credential: 'x' }, env, true)).toBeNull();
    const found = { payer: 'api-key', credential: 'ANTHROPIC_API_KEY' } as const;
    expect(decideWay(claude, found, env, false)).toEqual({
      through: 'provider',
      reason: expect.stringContaining('model_gate = false'),
    });
  });

  it('go past it, with the reason, where an engine’s address cannot be set', () => {
    expect(problemOf({ label: 'OpenCode' }, 'OPENCODE_KEY')).toMatch(
      /OpenCode calls cannot be set/,
    );
  });
});

describe('a plan behind the gate', () => {
  it('has the placeholder where the key was, and the key under no name', () => {
    const route = routeOf(claude, 'ANTHROPIC_API_KEY', { ANTHROPIC_API_KEY: KEY });
    const led = leadPlan(
      plan({ ANTHROPIC_API_KEY: KEY, MY_COPY: KEY, ANTHROPIC_AUTH_TOKEN: 'other', EDITOR: 'vi' }),
      route,
      GATE,
    );
    expect(led.env).toEqual({
      ANTHROPIC_API_KEY: GATE.placeholder,
      ANTHROPIC_BASE_URL: GATE.baseUrl,
      EDITOR: 'vi',
    });
    expect(led.argv).toEqual(['engine', 'exec']);
  });

  it('has it as a token in claude’s own terminal, which would ask a person about a key', () => {
    const route = routeOf(claude, 'ANTHROPIC_API_KEY', { ANTHROPIC_API_KEY: KEY });
    const led = leadPlan(plan({ ANTHROPIC_API_KEY: KEY }), route, GATE, 'terminal');
    expect(led.env).toEqual({
      ANTHROPIC_AUTH_TOKEN: GATE.placeholder,
      ANTHROPIC_BASE_URL: GATE.baseUrl,
    });
  });

  it('asks no proxy for the gate, and leaves the person’s own exceptions', () => {
    const route = routeOf(claude, 'ANTHROPIC_API_KEY', { ANTHROPIC_API_KEY: KEY });
    const led = leadPlan(plan({ https_proxy: 'http://p', NO_PROXY: 'intra' }), route, GATE);
    expect(led.env['NO_PROXY']).toBe('intra,127.0.0.1,localhost');
    expect(led.env['no_proxy']).toBe('127.0.0.1,localhost');
    expect(leadPlan(plan({}), route, GATE).env).not.toHaveProperty('NO_PROXY');
  });
});

describe('claude', () => {
  it('keeps its own address, its token’s header and the headers of its gateway', () => {
    const route = routeOf(claude, 'ANTHROPIC_AUTH_TOKEN', {
      ANTHROPIC_AUTH_TOKEN: KEY,
      ANTHROPIC_BASE_URL: 'https://gateway.example/a',
      ANTHROPIC_CUSTOM_HEADERS: 'X-Team: harbour\n bad line\nX-Two: a:b',
    });
    expect(route).toMatchObject({
      protocol: 'anthropic',
      upstream: 'https://gateway.example/a',
      headers: { authorization: `Bearer ${KEY}`, 'x-team': 'harbour', 'x-two': 'a:b' },
    });
    const own = routeOf(claude, 'ANTHROPIC_API_KEY', { ANTHROPIC_API_KEY: KEY });
    expect(own).toMatchObject({
      upstream: 'https://api.anthropic.com',
      headers: { 'x-api-key': KEY },
    });
  });

  it('goes past it with another provider, and where its settings decide', () => {
    expect(problemOf(claude, 'CLAUDE_CODE_USE_BEDROCK')).toMatch(/CLAUDE_CODE_USE_BEDROCK/);
    const env = { ANTHROPIC_API_KEY: KEY };
    for (const [settings, named] of [
      [{ apiKeyHelper: '/bin/key' }, 'apiKeyHelper'],
      [{ env: { ANTHROPIC_BASE_URL: 'https://x' } }, 'env.ANTHROPIC_BASE_URL'],
    ] as const) {
      write('.claude/settings.json', JSON.stringify(settings));
      expect(problemOf(claude, 'ANTHROPIC_API_KEY', env)).toContain(`\`${named}\``);
    }
    write('.claude/settings.json', '{"env":{"FOO":"1"},"theme":"dark"}');
    expect(way(claude, 'ANTHROPIC_API_KEY', env)?.through).toBe('gate');
  });
});

describe('codex', () => {
  const custom = (more: string) =>
    `model_provider = "mine"\n[model_providers.mine]\nenv_key = "MINE"\n${more}`;

  it('is told the address of its own provider before its subcommand', () => {
    write('.codex/config.toml', custom('base_url = "https://mine.example/v1"'));
    const route = routeOf(codex, 'MINE', { MINE: KEY });
    expect(route).toMatchObject({ protocol: 'openai', upstream: 'https://mine.example/v1' });
    expect(leadPlan(plan({ MINE: KEY }), route, GATE)).toMatchObject({
      argv: ['engine', '-c', `model_providers.mine.base_url="${GATE.baseUrl}"`, 'exec'],
      env: { MINE: GATE.placeholder },
    });
  });

  it('is told OpenAI’s where it uses that', () => {
    const route = routeOf(codex, 'CODEX_API_KEY', { CODEX_API_KEY: KEY });
    expect(route.upstream).toBe('https://api.openai.com/v1');
    expect(leadPlan(plan({}), route, GATE).argv[2]).toBe(`openai_base_url="${GATE.baseUrl}"`);
    write('.codex/config.toml', 'openai_base_url = "https://eu.example/v1"');
    expect(routeOf(codex, 'CODEX_API_KEY', { CODEX_API_KEY: KEY }).upstream).toBe(
      'https://eu.example/v1',
    );
  });

  it('goes past it with a stored key, and with a provider that is called otherwise', () => {
    expect(problemOf(codex, 'codex login (API key)')).toMatch(/stored in its own login/);
    for (const more of ['', 'base_url = "https://m"\nwire_api = "chat"']) {
      write('.codex/config.toml', custom(more));
      expect(problemOf(codex, 'MINE', { MINE: KEY })).toMatch(/does not know/);
    }
  });
});

describe('gemini', () => {
  const chosen = '{"security":{"auth":{"selectedType":"gemini-api-key"}}}';

  it('is told where to call by a variable', () => {
    write('.gemini/settings.json', chosen);
    const route = routeOf(gemini, 'GEMINI_API_KEY', { GEMINI_API_KEY: KEY });
    expect(route).toMatchObject({
      upstream: 'https://generativelanguage.googleapis.com',
      headers: { 'x-goog-api-key': KEY },
    });
    expect(leadPlan(plan({ GEMINI_API_KEY: KEY }), route, GATE).env).toEqual({
      GEMINI_API_KEY: GATE.placeholder,
      GOOGLE_GEMINI_BASE_URL: GATE.baseUrl,
    });
  });

  it('goes past it where its login would become another, or a proxy is asked for all', () => {
    const env = { GEMINI_API_KEY: KEY };
    expect(problemOf(gemini, 'GEMINI_API_KEY', env)).toMatch(/choose no login/);
    write('.gemini/settings.json', chosen);
    expect(problemOf(gemini, 'GEMINI_API_KEY', { ...env, HTTPS_PROXY: 'http://p' })).toMatch(
      /proxy/,
    );
    expect(problemOf(gemini, 'stored API key', env)).toMatch(/not in the environment/);
  });
});
