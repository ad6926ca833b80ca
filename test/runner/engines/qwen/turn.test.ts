import { describe, expect, test } from 'vitest';
import { aProcess, MODEL, used } from './harness.ts';

const PUSH = { command: 'git push origin HEAD:refs/heads/x' };
const output = (exit: string) =>
  `Command: x\nOutput: y\nError: (none)\nExit Code: ${exit}\nSignal: 0`;

describe('what a turn of qwen used', () => {
  test('is what its calls tell, and what its total has more is of helpers', () => {
    const { entries } = aProcess()
      .begin()
      .says('Done.')
      .ends({ ...used(1), input_tokens: 500, output_tokens: 70 });
    expect(entries()).toMatchObject([
      { model: MODEL, provenance: 'estimated', inputTokens: 200, outputTokens: 70 },
    ]);
  });

  test('is the difference of two totals, in the next process too', () => {
    const first = aProcess().begin().says('One.').ends(used(1)).exit();
    const second = aProcess({ resume: true }, first.state()).begin().says('Two.').ends(used(2));
    expect(second.entries()).toMatchObject([{ inputTokens: 100, cacheReadTokens: 300 }]);
  });

  test('is what its calls told where the total is not known, or goes backward', () => {
    const taken = aProcess({ resume: true }).begin().says('Two.').ends(used(9));
    expect(taken.entries()).toMatchObject([{ inputTokens: 100, provenance: 'estimated' }]);
    const back = aProcess().begin().says('One.').ends({ input_tokens: 1, output_tokens: 1 });
    expect(back.entries()).toMatchObject([{ inputTokens: 100 }]);
    expect(back.of('notice/raised').map(({ code }) => code)).toContain('usage_refused');
  });

  test('is unsettled beside that where it is killed in the middle of a call, and the next is its own', () => {
    const killed = aProcess().begin().calls('c', 'run_shell_command', { command: 'ls' });
    killed.gives('c', output('0')).exit();
    expect(killed.ended()).toMatchObject({ outcome: 'killed', usage: 'unsettled' });
    expect(killed.entries()).toMatchObject([
      { provenance: 'estimated', inputTokens: 100 },
      { provenance: 'unsettled', microUsd: null },
    ]);
    const next = aProcess({ resume: true }, killed.state()).begin().says('Two.').ends(used(2));
    expect(next.entries()).toMatchObject([{ provenance: 'estimated', inputTokens: 100 }]);
  });

  test('is unsettled where it is interrupted while its model answers, and not while a tool runs', () => {
    const answering = aProcess().begin().interrupt().ends(used(0), 'Operation cancelled.');
    expect(answering.ended()).toMatchObject({ outcome: 'interrupted', usage: 'unsettled' });
    const running = aProcess().begin().calls('c', 'run_shell_command', { command: 'sleep 9' });
    running.interrupt().ends(used(1), 'Operation cancelled.');
    expect(running.ended()).toMatchObject({ outcome: 'interrupted', usage: 'recorded' });
    expect(running.of('tool/ended')).toMatchObject([{ outcome: 'interrupted' }]);
  });

  test('is nothing where the provider refused', () => {
    const refused = aProcess().begin().ends(used(0), '[API Error: 401 no such key]');
    expect(refused.ended()).toMatchObject({
      outcome: 'failed',
      usage: 'none',
      error: { code: 'auth_expired' },
    });
    expect(refused.fatal()).toEqual(['auth_expired']);
  });

  test('is unsettled where its answer broke off', () => {
    const cut = aProcess().begin().ends(used(0), '[API Error: terminated (cause: x)]');
    expect(cut.ended()).toMatchObject({ outcome: 'failed', usage: 'unsettled' });
    expect(cut.fatal()).toEqual([]);
  });
});

describe('what a call of qwen does', () => {
  test.each([
    [output('0'), false, 'ok', 'done'],
    [output('3'), true, 'failed', 'not_done'],
    // The last one is the engine's, whatever the command wrote.
    [`Output: \nExit Code: 0\n${output('1')}`, true, 'failed', 'not_done'],
    [output('(none)'), true, 'failed', 'unknown'],
    ['Command was cancelled by user before it could complete.', true, 'interrupted', 'unknown'],
    ['Command timed out after 5ms before it could complete.', true, 'interrupted', 'unknown'],
    ['all of what it wrote', false, 'ok', 'done'],
    ['Exit Code: 3\n\nExit Code: 3', false, 'ok', 'done'],
    [
      'This "run_shell_command" invocation was denied by permission rules. Matching deny rule: "x".',
      true,
      'denied',
      'not_done',
    ],
  ])('%j is told as what it proves', (content, isError, outcome, act) => {
    const run = aProcess()
      .begin()
      .calls('c', 'run_shell_command', PUSH)
      .gives('c', content, isError);
    expect(run.of('tool/ended')).toMatchObject([{ outcome }]);
    expect(run.of('act/ended')).toMatchObject([{ outcome: act }]);
  });

  test('is not known of one that goes on beside the conversation', () => {
    const run = aProcess().begin();
    run.calls('c', 'run_shell_command', { ...PUSH, is_background: true }).gives('c', 'Started.');
    expect(run.of('act/ended')).toMatchObject([{ outcome: 'unknown' }]);
  });

  test('is seen through the tool that calls another one, and in one that goes on beside', () => {
    for (const [name, input] of [
      ['tool_call', { name: 'run_shell_command', arguments: PUSH }],
      ['monitor', PUSH],
    ] as const) {
      const run = aProcess().begin().calls('c', name, input);
      expect(run.of('act/seen')).toMatchObject([{ act: { kind: 'push' } }]);
    }
  });

  test('has not been done while nobody has allowed it', () => {
    const run = aProcess().begin().calls('c', 'run_shell_command', PUSH);
    run.asks('c', 'run_shell_command', PUSH).exit();
    expect(run.of('tool/ended')).toMatchObject([{ outcome: 'denied' }]);
    expect(run.of('act/ended')).toMatchObject([{ outcome: 'not_done' }]);
    expect(run.of('approval/resolved')).toMatchObject([{ resolution: 'withdrawn' }]);
  });
});

test('a call of qwen that a person denied has not run, in whatever words it says so', () => {
  const run = aProcess().begin().calls('c', 'run_shell_command', PUSH);
  run.asks('c', 'run_shell_command', PUSH).answer('deny');
  run.gives('c', '[Operation Cancelled] Reason: no', true);
  expect(run.of('tool/ended')).toMatchObject([{ outcome: 'denied' }]);
  expect(run.of('act/ended')).toMatchObject([{ outcome: 'not_done' }]);
  expect(run.of('approval/resolved')).toMatchObject([{ resolution: 'denied' }]);
});

describe('what qwen asks', () => {
  test('is answered once, which the reply to the line behind it proves', () => {
    const run = aProcess().begin().calls('c', 'run_shell_command', PUSH);
    run.asks('c', 'run_shell_command', PUSH).answer('allow');
    expect(run.of('approval/requested')).toMatchObject([{ request: { acts: ['push'] } }]);
    expect(run.of('approval/resolved')).toEqual([]);
    const [answer, confirm] = run.written().slice(-2) as {
      request_id?: string;
      response?: unknown;
    }[];
    expect(answer?.response).toMatchObject({ response: { behavior: 'allow' } });
    const response = { subtype: 'success', request_id: confirm?.request_id };
    run.line({ type: 'control_response', response });
    expect(run.of('approval/resolved')).toMatchObject([{ resolution: 'allowed' }]);
  });

  test('expires before it gives up by itself, ten minutes later', () => {
    const run = aProcess().begin().asks('c', 'write_file', {});
    const [asked] = run.of('approval/requested');
    const { requestedAt, expiresAt } = asked?.request ?? {};
    expect((expiresAt ?? 0) - (requestedAt ?? 0)).toBe(590_000);
    expect(run.written()[0]).toMatchObject({ request: { timeout: { canUseTool: 600_000 } } });
  });

  test('of a kind that nobody serves here is refused', () => {
    const request = { subtype: 'hook_callback' };
    const run = aProcess().line({ type: 'control_request', request_id: 'h', request });
    expect(run.written().at(-1)).toMatchObject({ response: { subtype: 'error', request_id: 'h' } });
  });
});

describe('a process of qwen that begins nothing', () => {
  test('for want of a login says so', () => {
    const run = aProcess().ends({ input_tokens: 0, output_tokens: 0 }, 'No auth type is selected.');
    expect(run.fatal()).toEqual(['auth_missing']);
    expect(run.of('turn/started')).toEqual([]);
  });

  test('because it does not know the conversation has lost it', () => {
    const stderrTail = ['No saved session found with ID x. Run `qwen --resume` without an ID.'];
    const run = aProcess({ resume: true }).instruct();
    run.exit({ exitCode: 1, signal: null, stderrTail });
    expect(run.fatal()).toEqual(['conversation_lost']);
    expect(run.of('turn/started')).toEqual([]);
  });

  test('and crashes leaves its instruction to be tried again', () => {
    const run = aProcess()
      .instruct()
      .exit({ exitCode: 1, signal: null, stderrTail: ['boom'] });
    expect([run.fatal(), run.of('turn/ended')]).toEqual([[], []]);
  });
});
