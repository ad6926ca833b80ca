import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ModelRoute, SpawnPlan } from '../../../runner/engines/engine.ts';
import { routeClaude } from '../../../runner/engines/claude/route.ts';
import { routeCodex } from '../../../runner/engines/codex/route.ts';
import { routeGemini } from '../../../runner/engines/gemini/route.ts';

const KEY = 'sk-test-0123456789';
const GATE = 'http://127.0.0.1:4000/s/1';
const PLAN: SpawnPlan = { argv: ['cli', 'run'], directory: '/', env: { A: 'a' } };

function opened(route: ModelRoute | { problem: string }): ModelRoute {
  if ('problem' in route) throw new Error(route.problem);
  return route;
}
const problemOf = (route: ModelRoute | { problem: string }): string =>
  'problem' in route ? route.problem : 'none';

describe('claude', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'pilothouse-route-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));
  const settings = (value: unknown) =>
    writeFileSync(join(directory, 'settings.json'), JSON.stringify(value));

  test.each([
    ['ANTHROPIC_API_KEY', { 'x-api-key': KEY }],
    ['ANTHROPIC_AUTH_TOKEN', { authorization: `Bearer ${KEY}` }],
  ])('with %s tells it as the API wants it', (credential, headers) => {
    const route = opened(routeClaude({ [credential]: KEY }, credential, directory));
    expect(route).toMatchObject({
      upstream: 'https://api.anthropic.com',
      keyVariable: credential,
      headers,
    });
    expect(route.through(PLAN, GATE)).toEqual({
      ...PLAN,
      env: { A: 'a', ANTHROPIC_BASE_URL: GATE },
    });
  });

  test('keeps the address and the headers that the person has set, and hides them from the session', () => {
    const env = {
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: 'https://llm.example.com/anthropic',
      ANTHROPIC_CUSTOM_HEADERS: 'X-Team: one: two\nbroken\n: empty',
    };
    const route = opened(routeClaude(env, 'ANTHROPIC_API_KEY', directory));
    expect(route.upstream).toBe('https://llm.example.com/anthropic');
    expect(route.headers).toEqual({ 'x-team': 'one: two', 'x-api-key': KEY });
    expect(route.secrets).toContain('ANTHROPIC_CUSTOM_HEADERS');
  });

  test.each([
    [{ apiKeyHelper: 'pass show key' }, /`apiKeyHelper`/],
    [{ env: { ANTHROPIC_BASE_URL: 'https://x' } }, /`env\.ANTHROPIC_BASE_URL`/],
    [{ env: { CLAUDE_CODE_USE_BEDROCK: '1' } }, /`env\.CLAUDE_CODE_USE_BEDROCK`/],
  ])('is not led where its settings %j decide', (value, why) => {
    settings(value);
    expect(
      problemOf(routeClaude({ ANTHROPIC_API_KEY: KEY }, 'ANTHROPIC_API_KEY', directory)),
    ).toMatch(why);
  });

  test.each([{ env: { EDITOR: 'vi' } }, { model: 'opus' }, [], 'no settings'])(
    'is led where its settings %j say nothing of it',
    (value) => {
      settings(value);
      const route = routeClaude({ ANTHROPIC_API_KEY: KEY }, 'ANTHROPIC_API_KEY', directory);
      expect(problemOf(route)).toBe('none');
    },
  );

  test.each([
    ['CLAUDE_CODE_OAUTH_TOKEN', { CLAUDE_CODE_OAUTH_TOKEN: KEY }],
    ['ANTHROPIC_API_KEY', {}],
    ['ANTHROPIC_API_KEY', { ANTHROPIC_API_KEY: '' }],
  ])('with %s out of %j has no key to lead', (credential, env) => {
    expect(problemOf(routeClaude(env, credential, directory))).toMatch(/does not know how to use/);
  });
});

describe('codex', () => {
  test('with its own key is led by a setting before the subcommand', () => {
    const route = opened(routeCodex({ CODEX_API_KEY: KEY }, 'CODEX_API_KEY', ''));
    expect(route).toMatchObject({
      upstream: 'https://api.openai.com/v1',
      headers: { authorization: `Bearer ${KEY}` },
    });
    expect(route.through(PLAN, GATE).argv).toEqual([
      'cli',
      '-c',
      `openai_base_url="${GATE}"`,
      'run',
    ]);
  });

  test('with a provider of its configuration goes where that says, by its name', () => {
    const config =
      'model_provider = "lab"\n[model_providers.lab]\nname = "Lab"\nbase_url = "https://lab.example.com/v1"\nenv_key = "LAB_KEY"\n';
    const route = opened(routeCodex({ LAB_KEY: KEY }, 'LAB_KEY', config));
    expect(route.upstream).toBe('https://lab.example.com/v1');
    expect(route.secrets).toEqual(['LAB_KEY', 'CODEX_API_KEY']);
    expect(route.through(PLAN, GATE).argv).toContain(`model_providers.lab.base_url="${GATE}"`);
  });

  test.each([
    ['wire_api = "chat"', /called in a way/],
    ['base_url = ""', /called in a way/],
  ])('is not led to a provider with %s', (line, why) => {
    const config = `model_provider = "lab"\n[model_providers.lab]\nname = "Lab"\nenv_key = "LAB_KEY"\n${line}\n`;
    expect(problemOf(routeCodex({ LAB_KEY: KEY }, 'LAB_KEY', config))).toMatch(why);
  });

  test('with a stored key says where that is', () => {
    expect(problemOf(routeCodex({}, 'codex login (API key)', ''))).toMatch(
      /stored in its own login/,
    );
  });
});

describe('gemini', () => {
  const env = { GEMINI_API_KEY: KEY };

  test('with a chosen login is led by its variable', () => {
    const route = opened(routeGemini(env, 'GEMINI_API_KEY', 'gemini-api-key'));
    expect(route.headers).toEqual({ 'x-goog-api-key': KEY });
    expect(route.through(PLAN, GATE).env).toEqual({ A: 'a', GOOGLE_GEMINI_BASE_URL: GATE });
  });

  test.each([
    [env, 'GEMINI_API_KEY', null, /choose no login/],
    [env, 'GEMINI_API_KEY', 'oauth-personal', /choose no login/],
    [{}, 'GEMINI_API_KEY', 'gemini-api-key', /not in the environment/],
    [{ GOOGLE_API_KEY: KEY }, 'GOOGLE_API_KEY', 'gemini-api-key', /not in the environment/],
    [{ ...env, https_proxy: 'http://p:1' }, 'GEMINI_API_KEY', 'gemini-api-key', /proxy/],
  ])('from %j by %s with the choice %s says why it is not led', (from, credential, chosen, why) => {
    expect(problemOf(routeGemini(from, credential, chosen))).toMatch(why);
  });
});
