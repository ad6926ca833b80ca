import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { credentialInEnvironment } from '../../../runner/engines/claude/probe.ts';
import { claude } from '../../../runner/engines/claude/preset.ts';
import { spawnEngine } from '../../../runner/process/spawn.ts';
import { aSpool } from '../../support/runner-builders.ts';
import { anEngineLaunch } from './harness.ts';

/** In the order in which claude itself takes them (its documentation, "Authentication precedence"). */
const IN_ORDER = [
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_API_KEY',
  'CLAUDE_CODE_OAUTH_TOKEN',
];
const OTHERS = ['GH_TOKEN', 'GITHUB_TOKEN', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'NPM_TOKEN'];

test('of credentials that compete, readiness names the one that the process goes by, with its value (S3)', () => {
  fc.assert(
    fc.property(fc.subarray([...IN_ORDER, ...OTHERS]), (names) => {
      const ambient = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
      const told = credentialInEnvironment(ambient)?.credential ?? null;
      const given = claude.plan(anEngineLaunch(), ambient).env;
      expect(told).toBe(IN_ORDER.find((name) => given[name] !== undefined) ?? null);
      for (const name of names) expect(given[name]).toBe(ambient[name]);
    }),
  );
});

test('an empty or switched off variable is no credential, for readiness as for the engine', () => {
  const env = { CLAUDE_CODE_USE_BEDROCK: '0', ANTHROPIC_AUTH_TOKEN: '', ANTHROPIC_API_KEY: 'k' };
  expect(credentialInEnvironment(env)).toEqual({
    payer: 'api-key',
    credential: 'ANTHROPIC_API_KEY',
  });
});

test('what Pilothouse itself gives a process is never overridden by the environment it runs in (S3)', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pilothouse-credentials-'));
  const ambient = {
    PATH: process.env['PATH'] ?? '',
    PILOTHOUSE_SESSION: 'ses_ambient',
    PILOTHOUSE_TOKEN: 'ambient',
    PILOTHOUSE_RUNNER_TOKEN: 'ambient',
    GH_TOKEN: 'the person’s',
  };
  const spool = aSpool(directory);
  const engine = await spawnEngine(
    { argv: ['env'], directory, env: claude.plan(anEngineLaunch(), ambient).env },
    spool,
    'ses_ours',
    claude.nestedVariables,
  );
  await engine.exited;
  const lines = readFileSync(spool.out, 'utf8').trim().split('\n');
  rmSync(directory, { recursive: true });
  expect(lines.filter((line) => line.startsWith('PILOTHOUSE_'))).toEqual([
    'PILOTHOUSE_SESSION=ses_ours',
  ]);
  expect(lines).toContain('GH_TOKEN=the person’s');
});
