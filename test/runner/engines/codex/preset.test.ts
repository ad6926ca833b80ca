import { describe, expect, test } from 'vitest';
import { approvalsMode } from '../../../../protocol/launch.ts';
import {
  decideCredential,
  parseEnvKey,
  parseOwnModel,
} from '../../../../runner/engines/codex/credential.ts';
import { codexAppServer } from '../../../../runner/engines/codex/app-server/preset.ts';
import { codex } from '../../../../runner/engines/codex/preset.ts';
import { anEngineLaunch } from '../harness.ts';
import { aCodexLaunch, TURN } from './replay.ts';

const THREAD = '01a227ce-e986-76a2-98d9-e37381434603';
const turn = { turnId: TURN, text: 'do "it" – $(now)' };

describe('the process of a turn of codex', () => {
  test.each([codex, codexAppServer])(
    'keeps codex from writing its environment, credentials and all, to the disk',
    (engine) => {
      const { argv } = engine.plan(aCodexLaunch(), {}, turn);
      expect(argv.slice(1, 3)).toEqual(['-c', 'features.shell_snapshot=false']);
      const terminal = codex.interactivePlan?.(aCodexLaunch(THREAD), {});
      expect(terminal?.argv.slice(1, 3)).toEqual(['-c', 'features.shell_snapshot=false']);
    },
  );

  test('has no subagents, whose spend and acts it would not tell', () => {
    const line = codex.plan(aCodexLaunch(THREAD), {}, turn).argv.join(' ');
    const exec = line.indexOf(' exec ');
    for (const flag of ['agents.enabled=false', 'features.multi_agent_v2=false']) {
      expect(line.indexOf(`-c ${flag}`)).toBeGreaterThan(0);
      expect(line.indexOf(`-c ${flag}`)).toBeLessThan(exec);
    }
    // Where it asks, its threads are told of one by one.
    expect(codexAppServer.plan(aCodexLaunch(), {}).argv.join(' ')).not.toContain('agents');
  });

  test('gets its instruction by standard input, and nothing of it as an argument', () => {
    const plan = codex.plan(aCodexLaunch(), {}, turn);
    expect(plan.input).toBe(turn.text);
    expect(plan.argv.join(' ')).not.toContain('now');
    expect(plan.argv.slice(-1)).toEqual(['-']);
  });

  test('resumes a thread by its id, with every flag before the word', () => {
    const { argv } = codex.plan(aCodexLaunch(THREAD), {}, turn);
    expect(argv.slice(-3)).toEqual(['resume', THREAD, '-']);
    expect(codex.plan(aCodexLaunch(), {}, turn).argv).not.toContain('resume');
  });

  test.each(approvalsMode.options)('has a sandbox for %s, and no more than that', (approvals) => {
    const { argv } = codex.plan(anEngineLaunch({}, { approvals }), {}, turn);
    const sandbox = argv[argv.indexOf('--sandbox') + 1];
    const expected = {
      ask: 'read-only',
      plan: 'read-only',
      accept_edits: 'workspace-write',
      bypass: 'danger-full-access',
    } as const;
    expect(sandbox).toBe(expected[approvals]);
    expect(argv.join(' ')).not.toContain('--dangerously');
  });

  test('has a key in its environment alone, and no mark of a session around it', () => {
    const env = {
      CODEX_API_KEY: 'canary',
      CODEX_THREAD_ID: 'x',
      CODEX_SANDBOX: 'y',
      CODEX_HOME: '/h',
    };
    const plan = codex.plan(aCodexLaunch(), { ...env, PATH: '/bin' }, turn);
    expect(plan.env).toMatchObject({ CODEX_API_KEY: 'canary', CODEX_HOME: '/h' });
    expect(plan.env).not.toHaveProperty('CODEX_THREAD_ID');
    expect(plan.env).not.toHaveProperty('CODEX_SANDBOX');
    expect(plan.env['PATH']?.split(':')[0]).toBe('/bin');
    expect(plan.argv.join(' ')).not.toContain('canary');
  });
});

describe('the credential of codex', () => {
  test('is the variable that its configuration names, and nothing else beside it', () => {
    const config = 'model_provider = "own"\n[model_providers.own]\nenv_key = "OWN_KEY"\n';
    expect(parseEnvKey(config)).toBe('OWN_KEY');
    expect(decideCredential({ OWN_KEY: 'x' }, 'OWN_KEY', null)).toEqual({
      payer: 'api-key',
      credential: 'OWN_KEY',
    });
    expect(decideCredential({ CODEX_API_KEY: 'x' }, 'OWN_KEY', null)).toBeNull();
  });

  test.each(['', 'not toml =', 'model = "x"', 'model_provider = 3'])(
    'is not told by the configuration %j',
    (text) => expect(parseEnvKey(text)).toBeNull(),
  );

  test('is a key of the environment before a login', () => {
    const login = 'Logged in using ChatGPT\n';
    expect(decideCredential({ CODEX_API_KEY: 'x' }, null, login)).toEqual({
      payer: 'api-key',
      credential: 'CODEX_API_KEY',
    });
    expect(decideCredential({}, null, login)).toEqual({
      payer: 'subscription',
      credential: 'codex login (ChatGPT)',
    });
  });

  test('of a login by key is paid by that key, of which nothing is shown', () => {
    const found = decideCredential({}, null, 'Logged in using an API key - sk-pr***abcd\n');
    expect(found?.payer).toBe('api-key');
    expect(found?.credential).not.toContain('sk-');
  });

  test('is none where nobody is logged in', () => {
    expect(decideCredential({ OPENAI_API_KEY: 'x' }, null, 'Not logged in\n')).toBeNull();
    expect(decideCredential({}, null, null)).toBeNull();
  });
});

describe('the model that codex takes by itself', () => {
  test.each([
    ['model = "gpt-5.5"', 'gpt-5.5'],
    ['model = "a"\nprofile = "p"\n[profiles.p]\nmodel = "b"', 'b'],
    ['model = "a"\nprofile = "q"\n[profiles.p]\nmodel = "b"', 'a'],
    ['model = 3', null],
    ['not toml =', null],
    ['', null],
  ])('is, by the configuration %j, %j', (text, model) => {
    expect(parseOwnModel(text)).toBe(model);
  });
});
