import { describe, expect, test } from 'vitest';
import { decideFailure } from '../../../runner/engines/claude/failures.ts';
import { aConversation, assistant, figures, result, toolUse } from './harness.ts';

const failed = (error: string, status: number | null, words = 'API Error') =>
  assistant([{ type: 'text', text: words }], { error, api_error_status: status });
const badResult = (status: number | null, change: Record<string, unknown> = {}) =>
  result(
    {},
    {
      is_error: true,
      api_error_status: status,
      terminal_reason: 'api_error',
      result: 'API Error',
      ...change,
    },
  );
const retry = (error: string, status: number | null) => ({
  type: 'system',
  subtype: 'api_retry',
  attempt: 1,
  max_retries: 10,
  retry_delay_ms: 600,
  error_status: status,
  error,
});

describe('the type of a provider failure', () => {
  test.each([
    ['authentication_failed', null, false, 'auth_missing'],
    ['authentication_failed', null, true, 'auth_expired'],
    ['authentication_failed', 401, false, 'auth_expired'],
    ['billing_error', 400, true, 'quota_exhausted'],
    ['rate_limit', 429, true, 'rate_limited'],
    ['overloaded', 529, true, 'overloaded'],
    ['server_error', null, true, 'overloaded'],
    ['model_not_found', 404, true, 'model_not_found'],
    ['invalid_request', 400, true, 'unknown'],
    ['something_new', 403, true, 'auth_expired'],
    [null, 429, true, 'rate_limited'],
    [null, 503, true, 'overloaded'],
    [null, null, true, 'unknown'],
  ] as const)('%s with status %s (credential: %s) is %s', (error, status, credential, code) => {
    expect(decideFailure({ error, status, credential })).toBe(code);
  });
});

describe('a turn that the provider fails', () => {
  test('is failed, although the engine calls it a success', () => {
    const conversation = aConversation().begin();
    conversation.line(failed('overloaded', 529, 'API Error: 529'));
    conversation.line(badResult(529));
    expect(conversation.of('turn/ended')[0]).toMatchObject({
      outcome: 'failed',
      error: { code: 'overloaded' },
      usage: 'none',
    });
    expect(conversation.items.some((item) => item.kind === 'fatal')).toBe(false);
  });

  test('does not put the failure’s words into the model’s mouth', () => {
    const conversation = aConversation().begin();
    conversation.line(failed('overloaded', 529, 'API Error: 529'));
    expect(conversation.of('text/completed')).toEqual([]);
  });

  test('by a missing login is fatal before the turn ends', () => {
    const conversation = aConversation().begin();
    conversation.line(failed('authentication_failed', null, 'Not logged in'));
    const items = conversation.line(badResult(null));
    expect(items.map((item) => (item.kind === 'event' ? item.event.type : item.kind))).toEqual([
      'fatal',
      'turn/ended',
    ]);
    expect(items[0]).toMatchObject({
      error: { code: 'auth_missing', message: expect.stringContaining('log in') },
    });
  });

  test('by a refused login ends at the first retry, not after minutes of them', () => {
    const conversation = aConversation().begin();
    const items = conversation.line(retry('authentication_failed', 401));
    expect(items.map((item) => (item.kind === 'event' ? item.event.type : item.kind))).toEqual([
      'fatal',
      'turn/ended',
    ]);
    expect(conversation.line(retry('authentication_failed', 401))).toEqual([]);
    expect(conversation.exit()).toEqual([]);
  });

  test('before the engine named the instruction is that instruction’s failure', () => {
    const conversation = aConversation();
    conversation.instruct('go');
    conversation.line(retry('authentication_failed', 401));
    expect(conversation.of('turn/ended').map((event) => event.turnId)).toEqual(['trn_first']);
  });

  test('for a while is told as a notice and goes on', () => {
    const conversation = aConversation().begin();
    conversation.line(retry('overloaded', 529));
    expect(conversation.of('notice/raised')[0]).toMatchObject({
      code: 'provider_retry',
      message: 'The provider answered 529. The engine tries again in 0.6 s (attempt 1 of 10).',
    });
    conversation.line(result(figures(1)));
    expect(conversation.of('turn/ended')[0]?.outcome).toBe('ok');
  });

  test('by a limit of its own says so', () => {
    const conversation = aConversation().begin();
    conversation.line(
      result(figures(1), {
        subtype: 'error_max_budget_usd',
        is_error: true,
        errors: ['Reached maximum budget ($1)'],
      }),
    );
    expect(conversation.of('turn/ended')[0]).toMatchObject({
      outcome: 'failed',
      usage: 'recorded',
      error: { code: 'quota_exhausted' },
    });
  });

  test('reports a rate limit with the time of its end in milliseconds', () => {
    const conversation = aConversation().begin();
    conversation.line({
      type: 'rate_limit_event',
      rate_limit_info: { status: 'rejected', resetsAt: 1795968267 },
    });
    expect(conversation.of('rateLimit/reported')).toEqual([
      { type: 'rateLimit/reported', status: 'rejected', resetsAt: 1795968267000 },
    ]);
  });
});

describe('a process that ends in mid-turn', () => {
  test('killed: the turn is killed, its tools and acts unknown', () => {
    const conversation = aConversation().begin();
    conversation.line(toolUse('t1', 'Bash', { command: 'git push' }));
    conversation.exit({ signal: 'SIGKILL' });
    expect(conversation.of('tool/ended')[0]?.outcome).toBe('unknown');
    expect(conversation.of('act/ended')[0]?.outcome).toBe('unknown');
    expect(conversation.of('turn/ended')[0]).toMatchObject({
      outcome: 'killed',
      error: null,
      usage: 'unsettled',
      acts: 'recorded',
    });
  });

  test('crashed: the turn failed, with its last words', () => {
    const conversation = aConversation().begin();
    conversation.exit({ exitCode: 7, signal: null, stderrTail: ['out of memory'] });
    expect(conversation.of('turn/ended')[0]).toMatchObject({
      outcome: 'failed',
      error: { code: 'engine_crashed', message: expect.stringMatching(/status 7.*out of memory/) },
    });
  });

  test('stopped by us after an interrupt: the turn is interrupted', () => {
    const conversation = aConversation().begin();
    conversation.interrupt();
    conversation.exit({ exitCode: 0, signal: null, expected: true });
    expect(conversation.of('turn/ended')[0]).toMatchObject({ outcome: 'interrupted', error: null });
  });

  test('while idle there is nothing to close', () => {
    expect(aConversation().exit({ exitCode: 0, signal: null, expected: true })).toEqual([]);
  });

  test('twice told, it ends once', () => {
    const conversation = aConversation().begin();
    conversation.exit();
    expect(conversation.exit()).toEqual([]);
  });

  test('an instruction that was never begun is left to the session to judge', () => {
    const conversation = aConversation();
    conversation.instruct('go');
    conversation.exit();
    expect(conversation.events()).toEqual([]);
  });
});
