import { describe, expect, test } from 'vitest';
import { aConversation, figures, result, toolResult, toolUse } from '../harness.ts';

const OK = { stdout: 'done' };
const call = (name: string, input: unknown, id = 't') => {
  const conversation = aConversation().begin();
  conversation.line(toolUse(id, name, input));
  return conversation;
};
const shell = (command: string) => call('Bash', { command });
const outcomes = (conversation: ReturnType<typeof aConversation>) =>
  conversation.of('tool/ended').map(({ outcome }) => outcome);
const acts = (conversation: ReturnType<typeof aConversation>) =>
  conversation.of('act/ended').map(({ outcome }) => outcome);

describe('a tool call', () => {
  test('is told with its input as a person would read it', () => {
    expect(call('Read', { file_path: '/r/a' }).of('tool/started')).toMatchObject([
      {
        toolId: 't',
        name: 'Read',
        summary: '/r/a',
        input: { text: '{\n  "file_path": "/r/a"\n}', truncated: null },
        parentToolId: null,
        turnId: 'trn_first',
      },
    ]);
  });

  test('that is repeated under its id is one call', () => {
    const conversation = shell('git push');
    conversation.line(toolUse('t', 'Bash', { command: 'git push' }));
    expect(conversation.of('tool/started')).toHaveLength(1);
    expect(conversation.of('act/seen')).toHaveLength(1);
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'may be called %s by an engine without harm',
    (id) => {
      const conversation = call('Read', {}, id);
      conversation.line(toolResult(id, 'x', {}));
      expect(conversation.of('tool/ended')).toMatchObject([{ toolId: id, outcome: 'ok' }]);
    },
  );

  test('without an input is a call all the same', () => {
    expect(call('Nothing', undefined).of('tool/started')).toMatchObject([
      { summary: 'Nothing', input: { text: '{}' } },
    ]);
  });

  test('without a name or an id is none', () => {
    const conversation = call('Read', {}, '');
    expect(conversation.of('tool/started')).toEqual([]);
  });
});

describe('the result of a call', () => {
  test('that nobody made is nobody’s', () => {
    const conversation = aConversation().begin();
    conversation.line(toolResult('never', 'x', OK));
    expect(conversation.of('tool/ended')).toEqual([]);
  });

  test('that comes twice counts once', () => {
    const conversation = shell('git push');
    conversation.line(toolResult('t', 'x', OK));
    conversation.line(toolResult('t', 'x', OK));
    expect(outcomes(conversation)).toEqual(['ok']);
    expect(acts(conversation)).toEqual(['done']);
  });

  test.each([
    ['words', 'all of it', 'all of it'],
    [
      'parts',
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      'a\nb',
    ],
    ['a picture', [{ type: 'image', source: {} }], '[image]'],
    ['something odd', [null, 3, {}], '\n\n'],
    ['nothing', undefined, ''],
    ['an object', { text: 'x' }, ''],
  ])('as %s is shown as text', (_what, content, shown) => {
    const conversation = shell('ls');
    conversation.line(toolResult('t', content, OK));
    expect(conversation.of('tool/ended')[0]?.output.text).toBe(shown);
  });

  test('of several calls in one line ends each of them', () => {
    const conversation = call('Read', { file_path: '/a' }, 'one');
    conversation.line(toolUse('two', 'Read', { file_path: '/b' }));
    conversation.line({
      type: 'user',
      uuid: 'u',
      message: {
        content: [
          { type: 'tool_result', tool_use_id: 'one', content: 'a' },
          { type: 'tool_result', tool_use_id: 'two', content: 'b', is_error: true },
        ],
      },
    });
    expect(outcomes(conversation)).toEqual(['ok', 'failed']);
  });

  test('that the engine says was not carried out is denied, not failed', () => {
    const conversation = shell('git push');
    conversation.line({
      ...toolResult('t', 'denied', 'Error: denied', true),
      tool_result_meta: [{ id: 't', non_execution_kind: 'permission-denied' }],
    });
    expect(outcomes(conversation)).toEqual(['denied']);
    expect(acts(conversation)).toEqual(['not_done']);
  });

  test('that a person rejected by stopping is interrupted', () => {
    const conversation = shell('git push');
    conversation.line({
      ...toolResult('t', 'rejected', 'User rejected tool use', true),
      tool_result_meta: [{ id: 't', non_execution_kind: 'user-rejected' }],
    });
    expect(outcomes(conversation)).toEqual(['interrupted']);
    expect(acts(conversation)).toEqual(['unknown']);
  });

  test('of a command that was interrupted says so, although it is no error', () => {
    const conversation = shell('sleep 9; git push');
    conversation.line(toolResult('t', 'half', { stdout: 'half', interrupted: true }));
    expect(outcomes(conversation)).toEqual(['interrupted']);
  });

  test('that fails after an interrupt was asked for is interrupted', () => {
    const conversation = shell('make');
    conversation.interrupt();
    conversation.line(toolResult('t', 'Exit code 137', 'Error', true));
    expect(outcomes(conversation)).toEqual(['interrupted']);
    expect(conversation.of('tool/ended')[0]?.exitCode).toBeNull();
  });

  test('that succeeds in spite of an interrupt has succeeded', () => {
    const conversation = shell('git push');
    conversation.interrupt();
    conversation.line(toolResult('t', 'pushed', OK));
    expect(outcomes(conversation)).toEqual(['ok']);
    expect(acts(conversation)).toEqual(['done']);
  });
});

describe('the status of a command', () => {
  test.each([
    ['Exit code 1\nno', 1],
    ['Exit code 255', 255],
    ['Exit code 0x', null],
    ['Exit code 9999', null],
    ['the Exit code 1', null],
    ['no', null],
  ])('is read from %j as %s', (output, status) => {
    const conversation = shell('make');
    conversation.line(toolResult('t', output, 'Error', true));
    expect(conversation.of('tool/ended')[0]?.exitCode).toBe(status);
  });

  test('belongs to commands alone', () => {
    const conversation = call('Read', { file_path: '/a' });
    conversation.line(toolResult('t', 'Exit code 3', 'Error', true));
    expect(conversation.of('tool/ended')[0]?.exitCode).toBeNull();
  });

  test('of one that goes on in the background is not known yet', () => {
    const conversation = shell('make &');
    conversation.line(toolResult('t', 'running', { stdout: '', backgroundTaskId: 'b' }));
    expect(conversation.of('tool/ended')).toMatchObject([{ outcome: 'ok', exitCode: null }]);
  });
});

describe('the acts of a call', () => {
  test('are each seen, in the order of the command line', () => {
    const conversation = shell('git push origin dev && npm publish');
    expect(conversation.of('act/seen').map(({ act }) => [act.kind, act.target])).toEqual([
      ['push', 'origin dev'],
      ['publish', null],
    ]);
    const ids = conversation.of('act/seen').map(({ act }) => act.actId);
    expect(new Set(ids).size).toBe(2);
  });

  test('are counted by the end of the turn', () => {
    const conversation = shell('git push');
    conversation.line(result(figures(1)));
    expect(conversation.of('turn/ended')).toMatchObject([{ acts: 'recorded' }]);
  });

  test('are not seen in words that only mention them', () => {
    expect(call('Write', { file_path: '/a', content: 'git push' }).of('act/seen')).toEqual([]);
    expect(shell('echo "git push"').of('act/seen')).toEqual([]);
  });

  test('of a subagent are the session’s too', () => {
    const conversation = aConversation().begin();
    conversation.line({
      ...toolUse('t', 'Bash', { command: 'git push' }),
      parent_tool_use_id: 'agent',
    });
    expect(conversation.of('act/seen')).toMatchObject([{ act: { turnId: 'trn_first' } }]);
  });
});

describe('a command in the background', () => {
  const running = (command = 'git push') => {
    const conversation = shell(command);
    conversation.line(toolResult('t', 'running', { stdout: '', backgroundTaskId: 'b' }));
    return conversation;
  };
  const notify = (status: string | null, id = 't') => ({
    type: 'system',
    subtype: 'task_notification',
    tool_use_id: id,
    status,
  });

  test.each([
    ['completed', 'done'],
    ['failed', 'not_done'],
    ['killed', 'unknown'],
    [null, 'unknown'],
  ])('that ends %s leaves its push %s', (status, outcome) => {
    const conversation = running();
    conversation.line(notify(status));
    expect(acts(conversation)).toEqual([outcome]);
  });

  test('ends once', () => {
    const conversation = running();
    conversation.line(notify('completed'));
    conversation.line(notify('completed'));
    expect(acts(conversation)).toEqual(['done']);
  });

  test('of which nobody knows ends nothing', () => {
    const conversation = running();
    conversation.line(notify('completed', 'other'));
    expect(acts(conversation)).toEqual([]);
  });

  test('outlives its turn', () => {
    const conversation = running();
    conversation.line(result(figures(1)));
    expect(acts(conversation)).toEqual([]);
    conversation.line(notify('completed'));
    expect(acts(conversation)).toEqual(['done']);
  });

  test('does not outlive its engine: what became of it is unknown', () => {
    const conversation = running();
    conversation.line(result(figures(1)));
    conversation.exit();
    expect(acts(conversation)).toEqual(['unknown']);
  });
});
