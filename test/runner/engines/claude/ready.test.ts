import { describe, expect, test } from 'vitest';
import { createStreamJsonEngine } from '../../../../runner/engines/claude/engine.ts';
import { claude } from '../../../../runner/engines/claude/preset.ts';
import { aConversation, anEngineLaunch, figures, result } from '../harness.ts';

const initialized = (account: unknown, version: string | null = '2.1.332') => ({
  type: 'control_response',
  response: {
    subtype: 'success',
    request_id: 'initialize-lau_test',
    response: { account, claude_code_version: version },
  },
});
const init = (over: Record<string, unknown> = {}) => ({
  type: 'system',
  subtype: 'init',
  session_id: '11111111-1111-4111-8111-111111111111',
  model: 'claude-opus-5-5',
  apiKeySource: 'none',
  claude_code_version: '2.1.332',
  uuid: 'i1',
  ...over,
});
const readyOf = (...lines: Record<string, unknown>[]) => {
  const conversation = aConversation();
  for (const line of lines) conversation.line(line);
  return conversation.of('engine/ready');
};

describe('the opening', () => {
  test('asks who pays and what the conversation has cost, before any instruction', () => {
    const asked = aConversation()
      .written()
      .map((line) => (line['request'] as { subtype: string }).subtype);
    expect(asked).toEqual(['initialize', 'get_usage']);
  });

  test('says nothing of readiness by itself', () => {
    expect(aConversation().of('engine/ready')).toEqual([]);
  });
});

describe('who is charged', () => {
  test.each([
    ['an API key', { apiKeySource: 'ANTHROPIC_API_KEY' }, 'api-key', 'ANTHROPIC_API_KEY'],
    ['a login', { tokenSource: 'claude.ai', apiKeySource: 'none' }, 'subscription', 'claude.ai'],
    [
      'a key, although there is a login too',
      { tokenSource: 'claude.ai', apiKeySource: '/login managed key' },
      'api-key',
      '/login managed key',
    ],
    [
      'a stored login, of which only the plan is named',
      { subscriptionType: 'Claude Max', apiProvider: 'firstParty' },
      'subscription',
      'Claude Max',
    ],
    [
      'a login that stands in the environment',
      { tokenSource: 'CLAUDE_CODE_OAUTH_TOKEN', apiProvider: 'firstParty' },
      'subscription',
      'CLAUDE_CODE_OAUTH_TOKEN',
    ],
    [
      'a token that is no login',
      { tokenSource: 'ANTHROPIC_AUTH_TOKEN', apiProvider: 'firstParty' },
      'api-key',
      'ANTHROPIC_AUTH_TOKEN',
    ],
    ['a program that makes keys', { tokenSource: 'apiKeyHelper' }, 'api-key', 'apiKeyHelper'],
    ['another provider', { apiProvider: 'bedrock' }, 'api-key', 'bedrock'],
    [
      'the provider itself, by login',
      { apiProvider: 'firstParty', tokenSource: 'claude.ai' },
      'subscription',
      'claude.ai',
    ],
    ['nobody known', {}, 'unknown', null],
    [
      'nobody known, in so many words',
      { tokenSource: 'none', apiKeySource: 'none' },
      'unknown',
      null,
    ],
    ['nobody known, in nulls', { tokenSource: null, apiKeySource: null }, 'unknown', null],
    ['no account', null, 'unknown', null],
  ])('is told for %s', (_what, account, payer, credential) => {
    expect(readyOf(initialized(account))).toMatchObject([{ payer, credential }]);
  });

  test('is told anew when a key turns up at the first turn', () => {
    const told = readyOf(initialized({}), init({ apiKeySource: 'ANTHROPIC_API_KEY' }));
    expect(told.map(({ payer }) => payer)).toEqual(['unknown', 'api-key']);
  });

  test('is not forgotten because the first turn names no key', () => {
    const told = readyOf(initialized({ tokenSource: 'claude.ai' }), init());
    expect(told.at(-1)).toMatchObject({ payer: 'subscription', credential: 'claude.ai' });
  });

  test('is on every figure of the turn', () => {
    const conversation = aConversation();
    conversation.line(initialized({ tokenSource: 'claude.ai' }));
    conversation.begin();
    conversation.line(result(figures(1)));
    const entries = conversation.of('usage/recorded').flatMap((event) => event.entries);
    expect(entries).toMatchObject([{ payer: 'subscription', provenance: 'reported' }]);
  });
});

describe('readiness', () => {
  test('is said once for the same facts', () => {
    expect(readyOf(init(), init(), init())).toHaveLength(1);
  });

  test('is said again when the model or the version changes', () => {
    expect(readyOf(init(), init({ model: 'claude-sonnet-5' })).map(({ model }) => model)).toEqual([
      'claude-opus-5-5',
      'claude-sonnet-5',
    ]);
    expect(readyOf(init(), init({ claude_code_version: '2.2.0' }))).toHaveLength(2);
  });

  test('names the conversation as the engine does', () => {
    expect(readyOf(init({ session_id: 'theirs' }))).toMatchObject([{ engineSessionId: 'theirs' }]);
  });

  test('keeps the model that was asked for until the engine says another', () => {
    const conversation = aConversation(anEngineLaunch({}, { model: 'opus' }));
    conversation.line(initialized({}));
    expect(conversation.of('engine/ready')).toMatchObject([{ model: 'opus' }]);
  });

  test('comes of an answer that nobody can read too: the engine works', () => {
    const told = readyOf({
      type: 'control_response',
      response: { subtype: 'success', request_id: 'initialize-lau_test', response: 'odd' },
    });
    expect(told).toMatchObject([{ payer: 'unknown', engineVersion: null }]);
  });

  test('does not come of an answer to somebody else’s question', () => {
    expect(
      readyOf({
        type: 'control_response',
        response: { subtype: 'success', request_id: 'initialize-lau_other', response: {} },
      }),
    ).toEqual([]);
  });

  test('does not come of a first line without a conversation', () => {
    const conversation = aConversation();
    conversation.line({ type: 'system', subtype: 'init', model: 'x' });
    expect(conversation.of('engine/ready')).toEqual([]);
    expect(conversation.of('notice/raised')).toMatchObject([{ code: 'line_unreadable' }]);
  });
});

describe('a rehearsal', () => {
  const rehearsing = createStreamJsonEngine({ ...claude, id: 'r', label: 'R', rehearsal: true });

  test('is paid by nobody, whatever it says of keys', () => {
    const opened = rehearsing.open(anEngineLaunch());
    const line = JSON.stringify(init({ apiKeySource: 'ANTHROPIC_API_KEY' }));
    const { items } = rehearsing.parse(opened.state, line, 1);
    expect(items).toMatchObject([
      { event: { type: 'engine/ready', payer: 'unknown', credential: null } },
    ]);
  });

  test('has figures that are no money', () => {
    const { state } = rehearsing.open(anEngineLaunch());
    const { items } = rehearsing.parse(state, JSON.stringify(result(figures(1))), 1);
    const entries = items.flatMap((item) =>
      item.kind === 'event' && item.event.type === 'usage/recorded' ? item.event.entries : [],
    );
    expect(entries).toMatchObject([{ provenance: 'rehearsal', payer: 'unknown' }]);
  });
});
