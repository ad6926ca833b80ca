import { describe, expect, test } from 'vitest';
import {
  aConversation,
  anEngineLaunch,
  assistant,
  figures,
  permission,
  result,
} from '../harness.ts';

const baseline = (modelUsage: unknown, over: Record<string, unknown> = {}) => ({
  type: 'control_response',
  response: {
    subtype: 'success',
    request_id: 'baseline-lau_test',
    response: { session: { model_usage: modelUsage } },
    ...over,
  },
});
const resumed = () => aConversation(anEngineLaunch({ resume: true }));
const costs = (conversation: ReturnType<typeof aConversation>) =>
  conversation
    .of('usage/recorded')
    .flatMap(({ entries }) => entries.map(({ microUsd }) => microUsd));
const replies = (conversation: ReturnType<typeof aConversation>) =>
  conversation.written().filter(({ type }) => type === 'control_response');

describe('what a conversation had cost before', () => {
  test.each([
    ['an error', baseline({}, { subtype: 'error', response: undefined })],
    ['figures that cannot be read', baseline({ m: { costUSD: 'much' } })],
    ['no figures', baseline(undefined)],
    ['no session', baseline({}, { response: {} })],
  ])('told as %s is said to be missing, with what follows from it', (_what, line) => {
    const conversation = resumed();
    conversation.line(line);
    expect(conversation.of('notice/raised')).toMatchObject([
      { level: 'warning', code: 'usage_baseline_missing' },
    ]);
  });

  test('of nothing is a baseline too', () => {
    const conversation = resumed();
    conversation.line(baseline({}));
    conversation.begin();
    conversation.line(result(figures(2)));
    expect(costs(conversation)).toEqual([3120]);
    expect(conversation.of('notice/raised')).toEqual([]);
  });

  test('that comes after a result is too late, and changes nothing', () => {
    const conversation = aConversation().begin();
    conversation.line(result(figures(1)));
    conversation.line(baseline(figures(9)));
    conversation.line(assistant([{ type: 'text', text: 'x' }]));
    conversation.line(result(figures(2)));
    expect(costs(conversation)).toEqual([1560, 1560]);
  });

  test('of another launch is not ours', () => {
    const conversation = resumed();
    conversation.line(baseline(figures(5), { request_id: 'baseline-lau_other' }));
    expect(conversation.state.baseline).toBeNull();
  });
});

describe('a question of the engine', () => {
  test.each(['elicitation', 'mcp_message', 'something_new'])(
    'of the kind %s is refused by its name, so that it does not wait',
    (subtype) => {
      const conversation = aConversation().begin();
      conversation.line({ type: 'control_request', request_id: 'q', request: { subtype } });
      expect(replies(conversation)).toMatchObject([
        {
          response: { subtype: 'error', request_id: 'q', error: expect.stringContaining(subtype) },
        },
      ]);
    },
  );

  test('for a permission without an input is refused: there is nothing to show', () => {
    const conversation = aConversation().begin();
    conversation.line({
      type: 'control_request',
      request_id: 'q',
      request: { subtype: 'can_use_tool', tool_name: 'Bash' },
    });
    expect(conversation.of('approval/requested')).toEqual([]);
    expect(replies(conversation)).toMatchObject([{ response: { subtype: 'error' } }]);
  });

  test('without a name cannot be answered, and is told', () => {
    const conversation = aConversation().begin();
    conversation.line({ type: 'control_request', request: { subtype: 'can_use_tool' } });
    expect(replies(conversation)).toEqual([]);
    expect(conversation.of('notice/raised')).toMatchObject([{ code: 'line_unreadable' }]);
  });

  test('outside of any turn is asked all the same', () => {
    const conversation = aConversation();
    conversation.line(permission('q', 'Bash', { command: 'ls' }));
    expect(conversation.of('approval/requested')).toMatchObject([{ request: { turnId: null } }]);
  });

  test('that it takes back was nobody’s when nobody asked it', () => {
    const conversation = aConversation().begin();
    conversation.line({ type: 'control_cancel_request', request_id: 'never' });
    expect(conversation.of('approval/resolved')).toEqual([]);
  });
});

describe('several questions at once', () => {
  const asked = () => {
    const conversation = aConversation().begin();
    conversation.line(permission('a', 'Bash', { command: 'ls' }));
    conversation.line(permission('b', 'Bash', { command: 'git push' }));
    const requests = conversation.of('approval/requested').map(({ request }) => request);
    return { conversation, requests };
  };

  test('are answered each by its own name', () => {
    const { conversation, requests } = asked();
    const [first, second] = requests;
    if (!first || !second) throw new Error('two were asked');
    conversation.answer(second, { decision: 'deny' });
    conversation.answer(first, { decision: 'allow' });
    expect(
      replies(conversation).map(({ response }) => (response as { request_id: string }).request_id),
    ).toEqual(['b', 'a']);
  });

  test('are withdrawn each by itself', () => {
    const { conversation, requests } = asked();
    conversation.line({ type: 'control_cancel_request', request_id: 'a' });
    expect(conversation.of('approval/resolved')).toMatchObject([
      { requestId: requests[0]?.requestId, resolution: 'withdrawn' },
    ]);
  });

  test('of which one was answered end as they stood', () => {
    const { conversation, requests } = asked();
    const [first] = requests;
    if (!first) throw new Error('two were asked');
    conversation.answer(first, { decision: 'allow' });
    conversation.exit();
    expect(conversation.of('approval/resolved').map(({ resolution }) => resolution)).toEqual([
      'allowed',
      'withdrawn',
    ]);
  });
});

describe('lines that are written', () => {
  test('for two interrupts have two names', () => {
    const conversation = aConversation().begin();
    conversation.interrupt();
    conversation.interrupt();
    const ids = conversation
      .written()
      .filter(({ request_id: id }) => String(id).startsWith('interrupt-'))
      .map(({ request_id: id }) => id);
    expect(new Set(ids).size).toBe(2);
  });

  test('for an answer are followed by a question whose reply proves that it was read', () => {
    const conversation = aConversation().begin();
    conversation.line(permission('a', 'Bash', { command: 'ls' }));
    const [asked] = conversation.of('approval/requested');
    if (!asked) throw new Error('nothing was asked');
    conversation.answer(asked.request, { decision: 'allow' });
    expect(conversation.written().at(-1)).toMatchObject({
      type: 'control_request',
      request_id: `confirm-${asked.request.requestId}`,
    });
  });

  test('for an instruction carry its name and its words', () => {
    const conversation = aConversation();
    conversation.instruct('mend it');
    expect(conversation.written().at(-1)).toMatchObject({
      type: 'user',
      message: { role: 'user', content: [{ type: 'text', text: 'mend it' }] },
      parent_tool_use_id: null,
    });
  });
});
