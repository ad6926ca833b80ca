import { expect, test } from 'vitest';
import { claude } from '../../../runner/engines/claude/preset.ts';
import { codex } from '../../../runner/engines/codex/preset.ts';
import { routeCodex } from '../../../runner/engines/codex/route.ts';
import { tellProcess } from '../../../runner/sessions/told-process.ts';
import { anEngineLaunch, FIRST } from '../engines/harness.ts';

const ENV = {
  PATH: '/usr/bin',
  CODEX_API_KEY: 'sk-one',
  PILOTHOUSE_RUNNER_TOKEN: 'token',
  CODEX_THREAD_ID: 'outer',
};
const launch = anEngineLaunch({ resume: true, engineSessionId: 'thread-1', executable: 'codex' });
const turn = { turnId: FIRST, text: 'go' };

/** What is told of a process that was led through the gate, sealed or not. */
function told(sealed: boolean) {
  const route = routeCodex(ENV, 'CODEX_API_KEY', '');
  if ('problem' in route) throw new Error(route.problem);
  const led = route.through(codex.plan(launch, ENV, turn), 'http://127.0.0.1:9/v1');
  const plan = { ...led, env: { ...led.env, ...ENV }, ...(sealed && { sealed: true as const }) };
  expect(plan.argv.join(' ')).toContain('127.0.0.1:9');
  return tellProcess(codex, { launch, env: ENV, turn }, { pid: 7, plan });
}

test('a process is told as it is before the gate, which has no place for a person’s own key', () => {
  const { argv, pid, directory } = told(false);
  expect({ pid, directory }).toEqual({ pid: 7, directory: launch.directory });
  expect(argv.join(' ')).not.toContain('127.0.0.1');
  expect(argv.slice(-3)).toEqual(['resume', 'thread-1', '-']);
});

test('a sealed one is told without its conversation, which is in the seal', () => {
  expect(told(true).argv).not.toContain('thread-1');
});

test('its environment is named as far as it was given it', () => {
  const { environment } = told(false);
  expect(environment).toContain('CODEX_API_KEY');
  expect(environment).not.toContain('PILOTHOUSE_RUNNER_TOKEN');
  expect(environment).not.toContain('CODEX_THREAD_ID');
});

test('what opens a conversation that is there is told beside: begun under our id or resumed, and never from outside of its seal', () => {
  const begins = anEngineLaunch({ resume: false, forkOf: '/copy.jsonl', executable: 'claude' });
  const asked = { launch: begins, env: ENV, turn };
  const plan = claude.plan(begins, ENV, turn);
  const { argv, resumed } = tellProcess(claude, asked, { pid: 7, plan });
  const id = begins.engineSessionId;
  expect(argv.join(' ')).toContain(`--session-id ${id}`);
  expect(resumed).toEqual(claude.interactivePlan?.({ ...begins, resume: true }, ENV).argv);
  expect(told(false).resumed).toEqual(codex.interactivePlan?.(launch, ENV).argv);
  expect(told(true).resumed).toBeUndefined();
});
