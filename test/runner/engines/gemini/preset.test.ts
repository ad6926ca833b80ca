import { describe, expect, test } from 'vitest';
import { gemini } from '../../../../runner/engines/gemini/preset.ts';
import { APPROVALS_FOR_TESTS, CANARY } from '../canary.ts';
import { anEngineLaunch, ENGINE_SESSION, FIRST } from '../harness.ts';

const after = (argv: readonly string[], name: string) => argv[argv.indexOf(name) + 1];
const plan = (change = {}, spec = {}, env = {}, text = 'Go.') =>
  gemini.plan(anEngineLaunch(change, spec), env, { turnId: FIRST, text });

describe('the process of a turn of gemini', () => {
  test('reads its instruction from its input, whatever it says, and never from its arguments', () => {
    for (const text of [CANARY, `--yolo ${CANARY}`, `@${CANARY}`]) {
      const { argv, input } = plan({}, {}, {}, text);
      expect(input).toBe(text);
      expect(argv.join(' ')).not.toContain(CANARY);
    }
  });

  test('takes what begins with a slash for an instruction, not for a command of its own', () => {
    expect(plan({}, {}, {}, '/clear').input).toBe('\u2060/clear');
  });

  test('begins a new conversation under our id, and resumes by that id alone', () => {
    expect(after(plan().argv, '--session-id')).toBe(ENGINE_SESSION);
    const resumed = plan({ resume: true }).argv;
    expect(after(resumed, '--resume')).toBe(ENGINE_SESSION);
    expect(resumed).not.toContain('--session-id');
  });

  test.each([
    ['ask', 'default'],
    ['accept_edits', 'auto_edit'],
    ['plan', 'plan'],
    ['bypass', 'yolo'],
  ] as const)('has for the approvals mode %s its own %s', (approvals, own) => {
    expect(after(plan({}, { approvals }).argv, '--approval-mode')).toBe(own);
  });

  test('names the model only when one was chosen', () => {
    expect(plan().argv).not.toContain('--model');
    expect(after(plan({}, { model: 'gemini-3.8-flash' }).argv, '--model')).toBe('gemini-3.8-flash');
  });

  test('holds no credential in its arguments or its input', () => {
    const env = Object.fromEntries(gemini.secretVariables.map((name) => [name, CANARY]));
    for (const approvals of APPROVALS_FOR_TESTS) {
      const { argv, input } = plan({}, { approvals }, env);
      expect(JSON.stringify([argv, input])).not.toContain(CANARY);
    }
  });

  test('keeps the person’s settings, loses the marks of a session around it, and is one process', () => {
    const own = { GEMINI_API_KEY: 'k', GEMINI_CLI_HOME: '/h', GOOGLE_GENAI_USE_VERTEXAI: 'true' };
    const marks = { GEMINI_CLI: '1', GEMINI_CLI_IDE_SERVER_PORT: '1', GEMINI_PTY_INFO: 'x' };
    expect(plan({}, {}, { ...own, ...marks }).env).toEqual({
      ...own,
      GEMINI_CLI_NO_RELAUNCH: 'true',
    });
  });
});
