import { describe, expect, test } from 'vitest';
import { decideCredential } from '../../../runner/engines/codex/credential.ts';
import { decideLogin as decideGemini } from '../../../runner/engines/gemini/credential.ts';
import { decideLogin as decideOpencode } from '../../../runner/engines/opencode/probe.ts';

const SECRET = 'sk-canary-value-0123456789';
const CHATGPT = 'Logged in using ChatGPT';
const KEY = 'Logged in using an API key - sk-***89';

describe('codex, in both of its forms, goes by', () => {
  test.each([
    ['nothing', {}, null, null, null],
    ['nothing by a key that it does not read', { OPENAI_API_KEY: SECRET }, null, null, null],
    ['the subscription it is logged in with', {}, null, CHATGPT, ['subscription', /ChatGPT/]],
    ['the stored key', {}, null, KEY, ['api-key', /API key/]],
    [
      'its own key before a login',
      { CODEX_API_KEY: SECRET },
      null,
      CHATGPT,
      ['api-key', /^CODEX_API_KEY$/],
    ],
    [
      'its provider’s key before both',
      { CODEX_API_KEY: SECRET, OTHER: SECRET },
      'OTHER',
      CHATGPT,
      ['api-key', /^OTHER$/],
    ],
    ['nothing where that is not set', { CODEX_API_KEY: SECRET }, 'OTHER', CHATGPT, null],
    [
      'a login where its key is empty',
      { CODEX_API_KEY: '' },
      null,
      CHATGPT,
      ['subscription', /ChatGPT/],
    ],
  ] as const)('%s', (_name, env, envKey, status, expected) => {
    const found = decideCredential(env, envKey, status);
    if (expected === null) return expect(found).toBeNull();
    expect(found).toEqual({ payer: expected[0], credential: expect.stringMatching(expected[1]) });
    return expect(JSON.stringify(found)).not.toContain(SECRET);
  });
});

describe('opencode names', () => {
  const api = { type: 'api' };
  const oauth = { type: 'oauth' };
  test.each([
    ['nobody who pays where there is no login', {}, {}, 'unknown', null],
    ['a key of the environment', { OPENAI_API_KEY: SECRET }, {}, 'api-key', 'OPENAI_API_KEY'],
    [
      'a stored subscription',
      {},
      { anthropic: oauth },
      'subscription',
      'opencode auth (anthropic)',
    ],
    ['a stored key', {}, { openai: api }, 'api-key', 'opencode auth (openai)'],
    [
      'both where the model decides, and so not who pays',
      { OPENAI_API_KEY: SECRET },
      { anthropic: oauth },
      'unknown',
      'OPENAI_API_KEY, opencode auth (anthropic)',
    ],
    ['no variable that is empty', { OPENAI_API_KEY: '' }, {}, 'unknown', null],
    ['no token of the forge as one of a model', { GITHUB_TOKEN: SECRET }, {}, 'unknown', null],
  ] as const)('%s', (_name, env, logins, payer, credential) => {
    expect(decideOpencode(env, logins)).toEqual({ payer, credential });
  });
});

describe('gemini, in both of its forms, goes by', () => {
  const facts = (selectedType: string | null, ...names: string[]) => ({
    selectedType,
    isSet: (name: string) => names.includes(name),
    googleLogin: true,
    mayHoldKey: false,
  });
  test.each([
    [
      'the login that was chosen, whatever key is there',
      facts('oauth-personal', 'GEMINI_API_KEY'),
      'subscription',
    ],
    ['a key where none was chosen', facts(null, 'GEMINI_API_KEY'), 'api-key'],
    [
      'Vertex AI before a key of Gemini',
      facts(null, 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_API_KEY', 'GEMINI_API_KEY'),
      'api-key',
    ],
    ['a machine’s own account, of which nobody knows who pays', facts('cloud-shell'), 'unknown'],
  ] as const)('%s', (_name, given, payer) => {
    expect(decideGemini(given)).toMatchObject({ kind: 'found', payer });
  });

  test('nothing where the chosen key is missing, though another variable is set', () => {
    expect(decideGemini(facts('gemini-api-key', 'GOOGLE_API_KEY'))).toMatchObject({
      kind: 'missing',
    });
  });
});
