import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lookAtSettings as lookAtClaude } from '../../../runner/engines/claude/settings.ts';
import {
  decideForced,
  decideSettings as decideCodex,
} from '../../../runner/engines/codex/settings.ts';
import { decideSettings as decideGemini } from '../../../runner/engines/gemini/settings.ts';
import { lookAtSettings as lookAtOpencode } from '../../../runner/engines/opencode/settings.ts';
import { IN_EVERY_MODE, type SettingsFinding } from '../../../runner/engines/settings.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pilothouse-settings-'));
});
afterEach(() => rmSync(home, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}
const stops = (words: string) => [
  { problem: expect.stringContaining(words), remedy: expect.any(String), stops: IN_EVERY_MODE },
];
const warns = (words: string) => [{ ...stops(words)[0], stops: [] }];

describe('the settings of claude', () => {
  const look = (text: string | null, credential: string | null = null): SettingsFinding[] => {
    if (text !== null) write('settings.json', text);
    return lookAtClaude(home, credential);
  };

  test.each([[null], [''], ['{}'], ['{ "permissions": { "deny": [] } }']])(
    'that are %j are as they should be',
    (text) => expect(look(text)).toEqual([]),
  );

  test.each(['{ broken', '[]x', '"text"', 'null'])(
    'that are no object (%s) are left out whole, which is told and stops nothing',
    (text) => expect(look(text)).toEqual(warns('what you deny there is not denied')),
  );

  test('that pay by another key than the environment shows are told', () => {
    const bedrock = JSON.stringify({ env: { CLAUDE_CODE_USE_BEDROCK: '1' } });
    expect(look(bedrock, 'ANTHROPIC_API_KEY')).toEqual(warns('`env.CLAUDE_CODE_USE_BEDROCK`'));
    expect(look(bedrock, null)).toEqual([]);
    expect(look(bedrock, 'CLAUDE_CODE_USE_BEDROCK')).toEqual([]);
    const elsewhere = JSON.stringify({ env: { ANTHROPIC_BASE_URL: 'http://x' } });
    expect(look(elsewhere, 'ANTHROPIC_API_KEY')).toEqual([]);
  });

  test('are not written, and no value of theirs is told', () => {
    const text = JSON.stringify({ env: { ANTHROPIC_AUTH_TOKEN: 'a-secret-value' } });
    expect(JSON.stringify(look(text, 'ANTHROPIC_API_KEY'))).not.toContain('a-secret-value');
    expect(readFileSync(join(home, 'settings.json'), 'utf8')).toBe(text);
  });
});

describe('the configuration of codex', () => {
  test.each(['', 'model = "gpt-5.5"', '[features]\nx = true'])('that is %j is fine', (text) =>
    expect(decideCodex('/c.toml', text)).toEqual([]),
  );

  test.each([
    ['model = ', 'is no TOML'],
    ['model = 3', '`model` in /c.toml is no text'],
    ['profile = "x"', 'chooses a profile'],
  ])('that is %j keeps it from beginning', (text, words) =>
    expect(decideCodex('/c.toml', text)).toEqual(stops(words)),
  );

  test.each([
    ['chatgpt', 'api-key', 'missing'],
    ['chatgpt', 'subscription', 'found'],
    ['api', 'subscription', 'missing'],
    ['api', 'api-key', 'found'],
    ['nonsense', 'api-key', 'found'],
  ] as const)('that forces %s has a login of %s %s', (forced, payer, kind) => {
    const login = { kind: 'found', payer, credential: 'a login' } as const;
    const decided = decideForced('/c.toml', `forced_login_method = "${forced}"`, login);
    expect(decided).toMatchObject({ kind, ...(kind === 'missing' && { because: 'settings' }) });
  });
});

describe('the settings of gemini', () => {
  const look = (settings: unknown, login: string | null = 'gemini-api-key') =>
    decideGemini(
      '/s.json',
      typeof settings === 'string' ? settings : JSON.stringify(settings),
      login,
    );

  test.each(['', '{}', '{ "model": 3 }', '{ // mine\n "model": { "name": "x", }, }'])(
    'that are %j are fine',
    (text) => expect(look(text)).toEqual([]),
  );

  test.each([
    ['{ broken', 'is no JSON'],
    ['[', 'is no JSON'],
    [{ security: { auth: { enforcedType: 'oauth-personal' } } }, 'enforces the login'],
  ])('that are %j keep it from beginning', (settings, words) =>
    expect(look(settings)).toEqual(stops(words)),
  );

  test('may enforce the login that is there', () => {
    const settings = { security: { auth: { enforcedType: 'gemini-api-key' } } };
    expect(look(settings)).toEqual([]);
    expect(look(settings, null)).toEqual([]);
  });

  test('may rule out one mode', () => {
    expect(look({ security: { disableYoloMode: true } })).toMatchObject([{ stops: ['bypass'] }]);
    expect(look({ security: { disableYoloMode: false } })).toEqual([]);
  });
});

describe('the configuration of opencode', () => {
  test('that is broken in any of its files keeps it from beginning, and is named', () => {
    const good = write('opencode.json', '{ "model": "x", }');
    const bad = write('opencode.jsonc', '{ broken');
    expect(lookAtOpencode([good, bad, join(home, 'none.json')])).toEqual(
      stops(`${bad} is no JSON`),
    );
  });

  test('that publishes conversations is told', () => {
    const path = write('opencode.json', '{ "share": "auto" }');
    expect(lookAtOpencode([path])).toEqual(warns('publishes each conversation'));
    expect(lookAtOpencode([write('other.json', '{ "share": "manual" }')])).toEqual([]);
  });
});
