import { describe, expect, test } from 'vitest';
import { APPROVALS_FOR_TESTS, CANARY } from './canary.ts';
import { claude, permissionModeOf, refusedToRoot } from '../../../runner/engines/claude/preset.ts';
import { rehearsal } from '../../../runner/engines/rehearsal/preset.ts';
import { anEngineLaunch, ENGINE_SESSION } from './harness.ts';

const after = (argv: readonly string[], name: string) => argv[argv.indexOf(name) + 1];

describe('the command line of claude', () => {
  test('speaks stream-json both ways, with partial messages, echoes and approvals', () => {
    const { argv } = claude.plan(anEngineLaunch(), {});
    expect(argv.join(' ')).toContain(
      '-p --input-format stream-json --output-format stream-json --verbose --include-partial-messages --replay-user-messages --permission-prompt-tool stdio',
    );
  });

  test('begins a new conversation under our id, and resumes by that id alone', () => {
    expect(after(claude.plan(anEngineLaunch(), {}).argv, '--session-id')).toBe(ENGINE_SESSION);
    const resumed = claude.plan(anEngineLaunch({ resume: true }), {}).argv;
    expect(after(resumed, '--resume')).toBe(ENGINE_SESSION);
    expect(resumed).not.toContain('--session-id');
  });

  test('has a limit of its own in dollars only where the session gave it one', () => {
    expect(claude.plan(anEngineLaunch(), {}).argv).not.toContain('--max-budget-usd');
    const limited = claude.plan(anEngineLaunch({ maxMicroUsd: 1 }), {}).argv;
    expect(after(limited, '--max-budget-usd')).toBe('0.000001');
  });

  test('names the model only when one was chosen', () => {
    expect(claude.plan(anEngineLaunch(), {}).argv).not.toContain('--model');
    expect(after(claude.plan(anEngineLaunch({}, { model: 'opus' }), {}).argv, '--model')).toBe(
      'opus',
    );
  });

  test.each([
    ['ask', 'default'],
    ['accept_edits', 'acceptEdits'],
    ['plan', 'plan'],
    ['bypass', 'bypassPermissions'],
  ] as const)('the approvals mode %s is its %s', (mode, own) => {
    expect(permissionModeOf(mode)).toBe(own);
  });

  test.each([
    [0, {}, ['bypass']],
    [0, { IS_SANDBOX: '0' }, ['bypass']],
    [0, { IS_SANDBOX: '1' }, []],
    [1000, {}, []],
  ])('for the user %s with %j is refused the modes %j', (uid, env, modes) => {
    expect(refusedToRoot(env, uid)).toEqual(modes);
  });

  test('holds no credential', () => {
    for (const engine of [claude, rehearsal]) {
      const env = Object.fromEntries(
        claude.secretVariables.map((name) => [name, `${CANARY}-${name}`]),
      );
      for (const approvals of APPROVALS_FOR_TESTS) {
        expect(engine.plan(anEngineLaunch({}, { approvals }), env).argv.join(' ')).not.toContain(
          CANARY,
        );
      }
    }
  });
});

describe('the environment of claude', () => {
  const plan = (env: Record<string, string>) => claude.plan(anEngineLaunch(), env).env;

  test('keeps the person’s settings and credentials', () => {
    const own = {
      CLAUDE_CONFIG_DIR: '/c',
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: 'http://x',
      CLAUDE_CODE_USE_BEDROCK: '1',
      CLAUDE_CODE_OAUTH_TOKEN: 't',
      PATH: '/bin',
    };
    expect(plan(own)).toMatchObject(own);
  });

  test('loses the marks of a session around it', () => {
    const marks = {
      CLAUDECODE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CLAUDE_CODE_SESSION_ID: 's',
      CLAUDE_CODE_REMOTE: '1',
      CLAUDE_CODE_REMOTE_SESSION_ID: 'r',
      CLAUDE_CODE_CHILD_SESSION: '1',
      AI_AGENT: 'x',
    };
    expect(Object.keys(plan(marks)).filter((name) => name in marks)).toEqual([]);
  });

  test('turns self-updates off, unless the person decided otherwise', () => {
    expect(plan({})['DISABLE_AUTOUPDATER']).toBe('1');
    expect(plan({ DISABLE_AUTOUPDATER: '0' })['DISABLE_AUTOUPDATER']).toBe('0');
  });
});

describe('the command line of the rehearsal', () => {
  test('carries script and place as arguments, because our own variables are not inherited', () => {
    const { argv } = rehearsal.plan(anEngineLaunch(), {
      PILOTHOUSE_REHEARSAL_SCRIPT: '/s.json',
      PILOTHOUSE_DATA: '/data',
    });
    expect(after(argv, '--script')).toBe('/s.json');
    expect(after(argv, '--state')).toBe('/data/runner/rehearsal-conversations');
  });
});
