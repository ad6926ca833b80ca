import { describe, expect, test } from 'vitest';
import { aConversation, figures, permission, result, toolResult, toolUse } from './harness.ts';

const PUSH = { command: 'git push origin main', description: 'Push' };

function asking(input: unknown = PUSH, name = 'Bash', suggestions: unknown[] = []) {
  return askingAfter(input, input, name, suggestions);
}

/** As {@link asking}, where the call before it said something else than the request. */
function askingAfter(called: unknown, input: unknown, name: string, suggestions: unknown[] = []) {
  const conversation = aConversation().begin();
  conversation.line(toolUse('tool-of-r1', name, called));
  conversation.line(permission('r1', name, input, suggestions));
  const [event] = conversation.of('approval/requested');
  if (!event) throw new Error('nothing was asked');
  return { conversation, request: event.request };
}

const decision = (conversation: ReturnType<typeof aConversation>) =>
  conversation.written().find((line) => line['type'] === 'control_response')?.['response'];
const resolutions = (conversation: ReturnType<typeof aConversation>) =>
  conversation.of('approval/resolved').map((event) => event.resolution);

describe('a request for permission', () => {
  test('says in one line what would happen, and that it is a push', () => {
    const { request } = asking();
    expect(request).toMatchObject({
      kind: 'tool',
      toolName: 'Bash',
      summary: 'git push origin main',
      acts: ['push'],
      toolId: 'tool-of-r1',
    });
  });

  test('is asked once, however often the engine repeats it', () => {
    const { conversation } = asking();
    conversation.line(permission('r1', 'Bash', PUSH));
    expect(conversation.of('approval/requested')).toHaveLength(1);
  });

  test('is allowed with the whole input, which is mandatory', () => {
    const { conversation, request } = asking();
    conversation.answer(request, { decision: 'allow' });
    expect(decision(conversation)).toEqual({
      subtype: 'success',
      request_id: 'r1',
      response: { behavior: 'allow', updatedInput: PUSH },
    });
  });

  test('is denied with the person’s words', () => {
    const { conversation, request } = asking();
    conversation.answer(request, { decision: 'deny', message: 'not today' });
    expect(decision(conversation)).toMatchObject({
      response: { behavior: 'deny', message: 'not today' },
    });
  });

  test('is denied with a sentence when the person gives none', () => {
    const { conversation, request } = asking();
    conversation.answer(request, { decision: 'deny' });
    expect(decision(conversation)).toMatchObject({
      response: { message: expect.stringContaining('said no') },
    });
  });

  test('stays open after the answer until the engine has read it', () => {
    const { conversation, request } = asking();
    conversation.answer(request, { decision: 'allow' });
    expect(resolutions(conversation)).toEqual([]);
    conversation.line({
      type: 'control_response',
      response: { subtype: 'success', request_id: `confirm-${request.requestId}`, response: {} },
    });
    expect(resolutions(conversation)).toEqual(['allowed']);
  });

  test('is confirmed by an error reply too: the lines before it were read', () => {
    const { conversation, request } = asking();
    conversation.answer(request, { decision: 'deny' });
    conversation.line({
      type: 'control_response',
      response: {
        subtype: 'error',
        request_id: `confirm-${request.requestId}`,
        error: 'unsupported',
      },
    });
    expect(resolutions(conversation)).toEqual(['denied']);
  });

  test('is confirmed by the result of its tool', () => {
    const { conversation, request } = asking();
    conversation.answer(request, { decision: 'allow' });
    conversation.line(toolResult('tool-of-r1', 'pushed', { stdout: 'pushed' }));
    expect(resolutions(conversation)).toEqual(['allowed']);
  });

  test('can be answered again with the same words before that', () => {
    const { conversation, request } = asking();
    conversation.answer(request, { decision: 'allow' });
    conversation.answer(request, { decision: 'allow' });
    expect(
      conversation.written().filter((line) => line['type'] === 'control_response'),
    ).toHaveLength(2);
  });

  test('is withdrawn by the engine', () => {
    const { conversation, request } = asking();
    conversation.line({ type: 'control_cancel_request', request_id: 'r1' });
    expect(resolutions(conversation)).toEqual(['withdrawn']);
    expect(conversation.answer(request, { decision: 'allow' })).toEqual([]);
  });

  test.each([
    ['the end of the turn', (c: ReturnType<typeof aConversation>) => c.line(result({}))],
    ['the end of the process', (c: ReturnType<typeof aConversation>) => c.exit()],
  ])('is withdrawn by %s', (_what, end) => {
    const { conversation } = asking();
    end(conversation);
    expect(resolutions(conversation)).toEqual(['withdrawn']);
  });

  test('denied: its tool is denied and its act not done', () => {
    const { conversation, request } = asking();
    conversation.answer(request, { decision: 'deny' });
    conversation.line(toolResult('tool-of-r1', 'said no', 'Error: said no', true));
    expect(conversation.of('tool/ended')[0]?.outcome).toBe('denied');
    expect(conversation.of('act/ended')[0]?.outcome).toBe('not_done');
  });
});

describe('a call that waited for an answer which never came', () => {
  type Conversation = ReturnType<typeof aConversation>;
  const ends: [string, (conversation: Conversation) => void][] = [
    ['its turn ends', (c) => c.line(result(figures(1)))],
    ['the engine is killed', (c) => c.exit()],
    [
      'the turn is interrupted',
      (c) => {
        c.interrupt();
        c.line({ type: 'control_cancel_request', request_id: 'r1' });
        c.line(
          toolResult('tool-of-r1', 'The user doesn’t want to', 'User rejected tool use', true),
        );
        c.line(result(figures(1), { terminal_reason: 'aborted_tools', is_error: true }));
      },
    ],
    [
      'it is interrupted and killed before it says so',
      (c) => {
        c.interrupt();
        c.exit({ expected: true });
      },
    ],
  ];
  const acts = (conversation: Conversation) =>
    conversation.of('act/ended').map(({ outcome }) => outcome);

  test.each(ends)('did nothing when %s', (_when, end) => {
    const { conversation } = asking();
    end(conversation);
    expect(acts(conversation)).toEqual(['not_done']);
    expect(conversation.of('tool/ended')).toMatchObject([{ outcome: 'interrupted' }]);
  });

  test.each(ends.slice(1))('may have run once it was allowed, when %s', (_when, end) => {
    const { conversation, request } = asking();
    conversation.answer(request, { decision: 'allow' });
    end(conversation);
    expect(acts(conversation)).toEqual(['unknown']);
  });

  test('did nothing either when the question came before the call', () => {
    const conversation = aConversation().begin();
    conversation.line(permission('r1', 'Bash', PUSH));
    conversation.line(toolUse('tool-of-r1', 'Bash', PUSH));
    conversation.exit();
    expect(acts(conversation)).toEqual(['not_done']);
  });

  test('may have run when the engine took its question back: a rule of its own can allow it', () => {
    const { conversation } = asking();
    conversation.line({ type: 'control_cancel_request', request_id: 'r1' });
    conversation.exit();
    expect(acts(conversation)).toEqual(['unknown']);
  });
});

describe('suggestions of the engine', () => {
  const suggestions = [
    {
      type: 'addRules',
      rules: [{ toolName: 'Bash', ruleContent: 'git push:*' }],
      behavior: 'allow',
      destination: 'localSettings',
    },
    { type: 'addDirectories', directories: ['/home/dev/other'], destination: 'session' },
    { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    { type: 'somethingNew' },
  ];

  test('are labelled as what they allow', () => {
    const { request } = asking(PUSH, 'Bash', suggestions);
    expect(request.suggestions.map((suggestion) => suggestion.label)).toEqual([
      'Allow Bash: git push:* for this session',
      'Allow work in /home/dev/other for this session',
      'Accept all file edits in this session',
      'Allow what the engine calls somethingNew for this session',
    ]);
  });

  test('are accepted for this session, never written into settings', () => {
    const { conversation, request } = asking(PUSH, 'Bash', suggestions);
    conversation.answer(request, { decision: 'allow', suggestion: 0 });
    expect(decision(conversation)).toMatchObject({
      response: {
        behavior: 'allow',
        updatedPermissions: [{ ...suggestions[0], destination: 'session' }],
      },
    });
  });

  test('of an index that is not there are no permission', () => {
    const { conversation, request } = asking(PUSH, 'Bash', suggestions);
    conversation.answer(request, { decision: 'allow', suggestion: 9 });
    expect(JSON.stringify(decision(conversation))).not.toContain('updatedPermissions');
  });
});

describe('questions and plans', () => {
  const input = {
    questions: [
      {
        question: 'Which color?',
        header: 'Color',
        multiSelect: false,
        options: [{ label: 'Red', description: 'r' }, { label: 'Blue' }],
      },
    ],
  };

  test('a question comes with its options', () => {
    const { request } = asking(input, 'AskUserQuestion');
    expect(request).toMatchObject({ kind: 'question', summary: 'Which color?' });
    expect(request.questions[0]?.options).toEqual([
      { label: 'Red', description: 'r' },
      { label: 'Blue', description: null },
    ]);
  });

  test('its answer goes back beside the question', () => {
    const { conversation, request } = asking(input, 'AskUserQuestion');
    conversation.answer(request, { decision: 'allow', answers: { 'Which color?': 'Blue' } });
    expect(decision(conversation)).toMatchObject({
      response: { updatedInput: { ...input, answers: { 'Which color?': 'Blue' } } },
    });
  });

  test('a misshapen question is still asked', () => {
    const { request } = asking({ questions: 'none' }, 'AskUserQuestion');
    expect(request).toMatchObject({ kind: 'question', questions: [] });
  });

  test('a plan is shown by its first words', () => {
    const { request } = asking({ plan: '# Plan\n1. do' }, 'ExitPlanMode');
    expect(request).toMatchObject({ kind: 'plan', summary: '# Plan 1. do' });
  });

  test('a plan that only the call holds is shown, and the answer repeats what was asked', () => {
    const { conversation, request } = askingAfter({ plan: '# Plan\n1. do' }, {}, 'ExitPlanMode');
    expect(request).toMatchObject({ kind: 'plan', summary: '# Plan 1. do' });
    expect(request.input.text).toContain('# Plan\\n1. do');
    conversation.answer(request, { decision: 'allow' });
    expect(decision(conversation)).toMatchObject({ response: { updatedInput: {} } });
  });
});

describe('other requests of the engine', () => {
  test('are refused at once, so that it does not wait for ever', () => {
    const conversation = aConversation().begin();
    conversation.line({
      type: 'control_request',
      request_id: 'x',
      request: { subtype: 'elicitation' },
    });
    expect(decision(conversation)).toMatchObject({ subtype: 'error', request_id: 'x' });
  });
});
