import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claude } from '../../../runner/engines/claude/preset.ts';
import { codex } from '../../../runner/engines/codex/preset.ts';
import type { Engine } from '../../../runner/engines/engine.ts';
import { gemini } from '../../../runner/engines/gemini/preset.ts';
import { readOwnSecrets } from '../../../runner/guard/own-secrets.ts';

const CANARY = 'c4n4ry-6d0e9b71f2a8';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pilothouse-own-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const readOf = async (engine: Pick<Engine, 'secretFiles'>, env: Record<string, string> = {}) =>
  (await readOwnSecrets(engine.secretFiles({ HOME: home, ...env }))).secrets.map(
    ({ value }) => value,
  );

function write(path: string, content: unknown): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

test.each([
  [claude, '.claude/.credentials.json', { claudeAiOauth: { accessToken: CANARY } }],
  [claude, '.claude/settings.json', { env: { ANTHROPIC_API_KEY: CANARY } }],
  [claude, '.claude.json', { primaryApiKey: CANARY }],
  [codex, '.codex/auth.json', { OPENAI_API_KEY: null, tokens: { refresh_token: CANARY } }],
  [codex, '.codex/.env', `OPENAI_API_KEY=${CANARY}\n`],
  [codex, '.codex/config.toml', `[model_providers.own]\nexperimental_bearer_token = "${CANARY}"\n`],
  [gemini, '.gemini/.env', `GEMINI_API_KEY="${CANARY}"\n`],
  [gemini, '.env', `export GEMINI_API_KEY=${CANARY}\n`],
  [gemini, '.gemini/oauth_creds.json', { access_token: CANARY, token_type: 'Bearer' }],
] as const)('of $id, the value in %s is known', async (engine, path, content) => {
  write(path, content);
  expect(await readOf(engine)).toEqual([CANARY]);
});

test('are looked for where the person has moved the engine’s directory', async () => {
  write('elsewhere/auth.json', { tokens: { id_token: CANARY } });
  expect(await readOf(codex, { CODEX_HOME: join(home, 'elsewhere') })).toEqual([CANARY]);
});

test('are none where there is no file, a directory in its place, or a file of another form', async () => {
  mkdirSync(join(home, '.codex', 'auth.json'), { recursive: true });
  write('.claude/settings.json', '{ broken');
  write('.codex/config.toml', '= no toml');
  expect(await readOf(claude)).toEqual([]);
  expect(await readOf(codex)).toEqual([]);
});

test('are not the names, choices and places that settings hold under such words', async () => {
  write('.codex/config.toml', 'cli_auth_credentials_store = "ephemeral"\nenv_key = "MY_API_KEY"\n');
  write('.claude/settings.json', { apiKeyHelper: '/usr/local/bin/fetch-key.sh' });
  write('.gemini/settings.json', { security: { auth: { enforcedAuthType: 'gemini-api-key' } } });
  expect(await readOf(codex)).toEqual([]);
  expect(await readOf(claude)).toEqual([]);
  expect(await readOf(gemini)).toEqual([]);
});

test('of the other files are known where one of them cannot be searched, and that one is named', async () => {
  const inCircle = join(home, 'circle');
  symlinkSync(inCircle, inCircle);
  const tooLong = join(home, 'long.json');
  write('long.json', '');
  truncateSync(tooLong, 64 * 1024 * 1024);
  write('auth.json', { token: CANARY });
  const paths = [inCircle, tooLong, join(home, 'none.json'), join(home, 'auth.json')];
  expect(await readOwnSecrets(paths)).toEqual({
    secrets: [expect.objectContaining({ value: CANARY })],
    unread: [
      { path: inCircle, reason: 'ELOOP' },
      { path: tooLong, reason: 'longer than 16777216 bytes' },
    ],
  });
});
