import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findEngine, probeEngine } from '../../runner/engines/registry.ts';
import { type EngineName, installEngine } from '../../tools/engines/install.ts';

/** What the real programs do with settings that the look before a launch reads. */
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pilothouse-preflight-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const KEYS = { CODEX_API_KEY: 'sk-x', GEMINI_API_KEY: 'x', ANTHROPIC_API_KEY: 'sk-x' };

async function withSettings(name: EngineName, path: string, text: string) {
  const executable = installEngine(name);
  const whole = join(home, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
  const env = { HOME: home, PATH, ...KEYS, GEMINI_CLI_NO_RELAUNCH: 'true' };
  const engine = findEngine(name);
  if (!engine) throw new Error(`there is no engine ${name}`);
  const found = await probeEngine(engine, {
    ...env,
    [`PILOTHOUSE_${name.toUpperCase()}`]: executable,
  });
  const start = (args: string[], input = '') =>
    spawnSync(executable, args, { cwd: home, env, input, encoding: 'utf8', timeout: 20_000 });
  return { found, start, unwritten: () => readFileSync(whole, 'utf8') === text };
}

const CODEX = ['exec', '--json', '--skip-git-repo-check', 'hi'];
const GEMINI = ['--output-format', 'stream-json', '--skip-trust', '-p', 'hi'];

describe('settings that the look finds to stop the engine', () => {
  it.each([
    ['codex', '.codex/config.toml', 'model = ', CODEX],
    ['codex', '.codex/config.toml', 'model = 3', CODEX],
    ['codex', '.codex/config.toml', 'profile = "x"', CODEX],
    ['codex', '.codex/config.toml', 'forced_login_method = "chatgpt"', CODEX],
    ['gemini', '.gemini/settings.json', '{ broken', GEMINI],
    [
      'gemini',
      '.gemini/settings.json',
      '{ "security": { "auth": { "enforcedType": "oauth-personal" } } }',
      GEMINI,
    ],
    ['opencode', '.config/opencode/opencode.json', '{ broken', ['acp']],
  ] as const)('%s with %s: %s', async (name, path, text, args) => {
    const { found, start, unwritten } = await withSettings(name, path, text);
    expect(found).toMatchObject({ ready: false, failure: 'settings_unusable' });
    const { status, stdout } = start([...args]);
    expect(status).not.toBe(0);
    // It said nothing in its own protocol: nobody would have learned why.
    expect(stdout).not.toMatch(/"(thread_id|session_id|protocolVersion)"/);
    expect(unwritten()).toBe(true);
  });

  it('gemini in the one mode that they rule out', async () => {
    const text = '{ "security": { "disableYoloMode": true } }';
    const { found, start } = await withSettings('gemini', '.gemini/settings.json', text);
    expect(found).toMatchObject({ ready: true, refusedModes: [{ mode: 'bypass' }] });
    expect(start([...GEMINI, '--approval-mode', 'yolo']).status).not.toBe(0);
  });
});

it('claude begins with settings that it cannot read, and works without them', async () => {
  const { found, start } = await withSettings('claude', '.claude/settings.json', '{ broken');
  expect(found).toMatchObject({ ready: true, warnings: [{ problem: expect.any(String) }] });
  const input = JSON.stringify({ type: 'user', message: { role: 'user', content: 'hi' } });
  const args = ['-p', '--output-format', 'stream-json', '--input-format', 'stream-json'];
  const env = start([...args, '--verbose', '--max-turns', '1'], `${input}\n`);
  expect(env.stdout).toContain('"subtype":"init"');
});

it.each(['claude', 'codex', 'gemini', 'opencode'] as const)(
  '%s without settings is looked at within the bound',
  async (name) => {
    const { found } = await withSettings(name, 'unrelated', '');
    expect(found).toMatchObject({ ready: true, version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
    expect(found).not.toHaveProperty('warnings');
  },
);
