import { describe, expect, test } from 'vitest';
import { commandOf, inputOf, nameOf, summaryOf } from '../../../../runner/engines/acp/tools.ts';
import { atWork } from './harness.ts';

const push = { kind: 'execute', rawInput: { command: 'git push' } };
/** What comes of a push of which the agent says this at its end. */
const endOf = (status: string, rawOutput?: unknown) => {
  const talk = atWork()
    .call('t', { ...push, status: 'in_progress' })
    .call('t', { status, rawOutput });
  return [talk.of('tool/ended')[0], talk.of('act/ended')[0]?.outcome] as const;
};

describe('the words for a call', () => {
  test.each([
    [{ kind: 'execute' }, 'shell'],
    [{ kind: 'other', title: 'Ask\nthe oracle' }, 'Ask the oracle'],
    [{ kind: 'constructor' }, 'tool'],
    [{ kind: null, title: '' }, 'tool'],
  ])('name it: %j', (call, name) => {
    expect(nameOf({ toolCallId: 't', ...call })).toBe(name);
  });

  test.each([
    [{ kind: 'execute', title: 'ls' }, 'ls'],
    [{ kind: 'execute', title: 'List', rawInput: { command: 'ls' } }, 'ls'],
    [{ kind: 'execute', title: 'List', rawInput: { argv: ['ls'] } }, null],
    [{ kind: 'execute', title: 'List', rawInput: 'ls' }, 'List'],
    [{ kind: 'read', title: 'rm -rf /' }, null],
    [{ kind: 'execute' }, null],
  ])('say its command only where it runs one: %j', (call, command) => {
    expect(commandOf({ toolCallId: 't', ...call })).toBe(command);
  });

  test.each([
    [push, 'git push'],
    [
      { kind: 'read', locations: [{ path: 'a.ts' }, { path: 'b.ts' }], title: 'Look' },
      'a.ts, b.ts',
    ],
    [{ kind: 'fetch', title: 'Look' }, 'Look'],
    [{ kind: 'think', locations: [] }, 'think'],
  ])('sum it up: %j', (call, summary) => {
    expect(summaryOf({ toolCallId: 't', ...call })).toBe(summary);
  });

  test('show a change as its diff, a command as one, and else what it was given', () => {
    const diff = { type: 'diff', path: 'a.md', oldText: 'one\n', newText: 'two\n' };
    const input = (call: object) => inputOf({ toolCallId: 't', ...call });
    expect(input({ kind: 'edit', content: [diff] })).toBe(
      'edited a.md\n@@ -1,1 +1,1 @@\n-one\n+two',
    );
    expect(JSON.parse(input({ kind: 'execute', title: 'ls' }))).toEqual({ command: 'ls' });
    expect(JSON.parse(input({ kind: 'fetch', rawInput: { url: 'x' } }))).toEqual({ url: 'x' });
    expect(JSON.parse(input({ kind: 'read', title: 'Look' }))).toEqual({ title: 'Look' });
  });
});

describe('a call', () => {
  test('that is announced begins with the first word that says more, and has all that was said', () => {
    const talk = atWork().call('t', { kind: 'execute', title: 'Shell', status: 'pending' });
    expect(talk.of('tool/started')).toEqual([]);
    talk.call('t', { status: 'in_progress', rawInput: { command: 'git push' }, title: null });
    expect(talk.of('tool/started')).toMatchObject([{ name: 'shell', summary: 'git push' }]);
    expect(talk.of('act/seen')).toMatchObject([{ act: { kind: 'push' } }]);
  });

  test('says its act once, as soon as its command is known', () => {
    const talk = atWork().call('t', { kind: 'execute', rawInput: {}, status: 'in_progress' });
    expect(talk.of('act/seen')).toEqual([]);
    talk.call('t', push).call('t', { rawInput: { command: 'git push --force' } });
    expect(talk.of('act/seen').map(({ act }) => act.command)).toEqual(['git push']);
    expect(talk.costs(1).ends().ended()?.acts).toBe('recorded');
  });

  test('that is over is not begun again in its turn, and is another one in the next', () => {
    const talk = atWork().call('t', { kind: 'read', status: 'completed' });
    talk.call('t', { kind: 'read', status: 'completed' });
    expect(talk.of('tool/started')).toHaveLength(1);
    talk.ends().instruct().call('t', { kind: 'read', status: 'completed' });
    expect(talk.of('tool/started')).toHaveLength(2);
  });

  test('without an id is a line that cannot be read', () => {
    const talk = atWork().call('', { kind: 'read' });
    expect(talk.of('tool/started')).toEqual([]);
    expect(talk.of('notice/raised')).toMatchObject([{ code: 'line_unreadable' }]);
  });

  test('ends the text before it', () => {
    const talk = atWork().say('I look.').call('t', { kind: 'read' }).say('Seen.').ends();
    expect(talk.of('text/completed').map(({ text }) => text.text)).toEqual(['I look.', 'Seen.']);
  });
});

describe('the end of a command', () => {
  test.each([
    ['completed', { exitCode: 0 }, 'ok', 0, 'done'],
    ['completed', { metadata: { exit: 0 } }, 'ok', 0, 'done'],
    ['completed', { exitCode: 128 }, 'failed', 128, 'not_done'],
    ['completed', { metadata: { exit: 1 } }, 'failed', 1, 'not_done'],
    ['completed', 'To origin', 'unknown', null, 'unknown'],
    ['completed', { exitCode: '0' }, 'unknown', null, 'unknown'],
    ['completed', { metadata: null }, 'unknown', null, 'unknown'],
    ['failed', undefined, 'failed', null, 'not_done'],
  ])('%s with %j is %s', (status, rawOutput, outcome, exitCode, act) => {
    const [tool, acts] = endOf(status, rawOutput);
    expect(tool).toMatchObject({ outcome, exitCode });
    expect(acts).toBe(act);
  });

  test('is not yet there while it is at work', () => {
    expect(endOf('in_progress')[0]).toBeUndefined();
  });
});

describe('what a call did', () => {
  const diff = (newText: string) => ({ type: 'diff', path: 'a.md', oldText: 'one\n', newText });
  const text = (words: string) => ({ type: 'content', content: { type: 'text', text: words } });

  test('is its texts, the last that were told, and the change that was told first', () => {
    const talk = atWork()
      .call('t', { kind: 'edit', content: [diff('one\ntwo\n'), text('a'), { type: 'terminal' }] })
      .call('t', { content: [diff('two\n'), text('b'), text('c')] })
      .call('t', { status: 'completed' });
    const [ended] = talk.of('tool/ended');
    expect(ended).toMatchObject({ outcome: 'ok', output: { text: 'b\nc' } });
    expect(ended?.files).toMatchObject([{ path: 'a.md', additions: 1, deletions: 0 }]);
  });

  test('is no change where it failed', () => {
    const talk = atWork().call('t', { kind: 'edit', content: [diff('two\n')], status: 'failed' });
    expect(talk.of('tool/ended')[0]).toMatchObject({ outcome: 'failed', files: [] });
  });
});
