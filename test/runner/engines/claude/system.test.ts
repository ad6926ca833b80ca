import { describe, expect, test } from 'vitest';
import { aConversation, assistant, figures, result, toolResult, toolUse } from '../harness.ts';

const system = (subtype: string, over: Record<string, unknown> = {}) => ({
  type: 'system',
  subtype,
  uuid: 's',
  ...over,
});
const notices = (...lines: Record<string, unknown>[]) => {
  const conversation = aConversation().begin();
  for (const line of lines) conversation.line(line);
  return conversation.of('notice/raised');
};
const retry = (over: Record<string, unknown> = {}) =>
  system('api_retry', {
    attempt: 2,
    max_retries: 10,
    retry_delay_ms: 1_250,
    error_status: null,
    error: 'server_error',
    ...over,
  });

describe('lines about the engine itself', () => {
  test.each(['status', 'hook_started', 'task_started', 'task_progress', 'session_title_changed'])(
    'of progress (%s) say nothing',
    (subtype) => {
      expect(notices(system(subtype), result(figures(1)))).toEqual([]);
    },
  );

  test('of something that a person should know are told in the engine’s words', () => {
    expect(notices(system('model_fallback', { content: 'Using another model.' }))).toMatchObject([
      { level: 'warning', code: 'engine_model_fallback', message: 'Using another model.' },
    ]);
  });

  test('of something that has no words are told by their name', () => {
    expect(notices(system('session_writes_lost', { content: 4 }))).toMatchObject([
      { message: 'The engine reports: session writes lost.' },
    ]);
  });

  test('of a kind that nobody knows are counted until the turn ends', () => {
    const conversation = aConversation().begin();
    conversation.line(system('brand_new'));
    expect(conversation.of('notice/raised')).toEqual([]);
    conversation.line(result(figures(1)));
    expect(conversation.of('notice/raised')).toMatchObject([
      {
        level: 'info',
        code: 'lines_unknown',
        message: expect.stringContaining('system/brand_new ×1'),
      },
    ]);
  });

  test('without a kind are broken lines', () => {
    expect(notices({ type: 'system' })).toMatchObject([{ code: 'line_unreadable' }]);
  });

  test('of a conversation that was summed up are told', () => {
    expect(notices(system('compact_boundary'))).toMatchObject([
      { level: 'info', code: 'conversation_compacted' },
    ]);
  });
});

describe('a call that the engine tries again', () => {
  test('is told with what the provider said and when it goes on', () => {
    expect(notices(retry({ error_status: 503 }))[0]?.message).toBe(
      'The provider answered 503. The engine tries again in 1.3 s (attempt 2 of 10).',
    );
  });

  test('without an answer is told as that', () => {
    expect(notices(retry())[0]?.message).toContain('did not answer');
  });

  test('whose figures cannot be read is told all the same', () => {
    const odd = { attempt: 'two', max_retries: null, retry_delay_ms: {} };
    expect(notices(retry(odd))[0]?.message).toContain('attempt 0 of 0');
  });

  test.each([
    ['a refused login', { error: 'authentication_failed', error_status: 401 }, 'auth_expired'],
    ['a missing login', { error: 'authentication_failed', error_status: null }, 'auth_missing'],
    ['a status alone', { error: null, error_status: 403 }, 'auth_expired'],
  ])('because of %s is given up at once', (_what, over, code) => {
    const conversation = aConversation().begin();
    const items = conversation.line(retry(over));
    expect(items[0]).toMatchObject({ kind: 'fatal', error: { code } });
    expect(conversation.of('turn/ended')).toMatchObject([{ outcome: 'failed', error: { code } }]);
  });

  test('given up ends what was under way, and is heard no more', () => {
    const conversation = aConversation().begin();
    conversation.line(toolUse('t', 'Bash', { command: 'git push' }));
    conversation.line(retry({ error: 'authentication_failed', error_status: 401 }));
    expect(conversation.of('tool/ended')).toMatchObject([{ outcome: 'unknown' }]);
    expect(conversation.of('act/ended')).toMatchObject([{ outcome: 'unknown' }]);
    expect(conversation.line(assistant([{ type: 'text', text: 'late' }]))).toEqual([]);
    expect(conversation.line(result(figures(1)))).toEqual([]);
  });

  test('given up with nothing asked ends no turn', () => {
    const conversation = aConversation();
    conversation.line(retry({ error: 'authentication_failed', error_status: 401 }));
    expect(conversation.of('turn/ended')).toEqual([]);
    expect(conversation.items.some(({ kind }) => kind === 'fatal')).toBe(true);
  });
});

describe('a refusal by the engine’s own rules', () => {
  test('of a call that is not there is nothing', () => {
    expect(notices(system('permission_denied', { tool_use_id: 'never' }))).toEqual([]);
  });

  test('without the call’s name is nothing', () => {
    const conversation = aConversation().begin();
    conversation.line(toolUse('t', 'Bash', { command: 'ls' }));
    conversation.line(system('permission_denied'));
    conversation.line(toolResult('t', 'no', 'Error', true));
    expect(conversation.of('tool/ended')).toMatchObject([{ outcome: 'failed' }]);
  });
});

describe('other lines', () => {
  test('a new conversation counts its cost from nothing', () => {
    const conversation = aConversation().begin();
    conversation.line(result(figures(3)));
    conversation.line({ type: 'conversation_reset', new_conversation_id: 'next' });
    conversation.line(assistant([{ type: 'text', text: 'x' }]));
    conversation.line(result(figures(1)));
    const costs = conversation.of('usage/recorded').flatMap(({ entries }) => entries);
    expect(costs.map(({ microUsd }) => microUsd)).toEqual([4680, 1560]);
    expect(conversation.state.engineSessionId).toBe('next');
  });

  test('a rate limit without an end has none', () => {
    const conversation = aConversation();
    conversation.line({ type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } });
    expect(conversation.of('rateLimit/reported')).toMatchObject([{ resetsAt: null }]);
  });

  test.each(['', '   ', '\t'])('an empty line (%j) is no line', (line) => {
    expect(aConversation().raw(line)).toEqual([]);
  });

  test.each([
    'null',
    '5',
    '"text"',
    '[]',
    '{}',
    '{"type":5}',
    '{"type":"user"}',
    '{"type":"result"}',
  ])('%s is told as unreadable, and nothing breaks', (line) => {
    const conversation = aConversation();
    conversation.raw(line);
    expect(conversation.of('notice/raised')).toMatchObject([
      {
        level: 'warning',
        code: 'line_unreadable',
        message: expect.stringContaining(`${line.length} bytes`),
      },
    ]);
  });

  test('what was ignored in one turn is not told again in the next', () => {
    const conversation = aConversation().begin();
    conversation.line({ type: 'brand_new' });
    conversation.line(result(figures(1)));
    conversation.line(assistant([{ type: 'text', text: 'x' }]));
    conversation.line(result(figures(2)));
    expect(conversation.of('notice/raised')).toHaveLength(1);
  });

  test.each(['__proto__', 'constructor', 'toString'])(
    'a type called %s is an unknown one',
    (type) => {
      const conversation = aConversation().begin();
      conversation.raw(`{"type":${JSON.stringify(type)}}`);
      conversation.line(result(figures(1)));
      expect(conversation.of('notice/raised')).toMatchObject([{ code: 'lines_unknown' }]);
    },
  );
});
