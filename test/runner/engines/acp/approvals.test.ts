import { describe, expect, test } from 'vitest';
import { atWork } from './harness.ts';

const CALL = { toolCallId: 't', kind: 'execute', rawInput: { command: 'git push origin main' } };
const ALL = ['allow_always', 'allow_once', 'reject_once', 'reject_always'];
const asked = (...kinds: string[]) => atWork().asks(0, CALL, ...(kinds.length > 0 ? kinds : ALL));
/** What was written to the agent as the answer to its request. */
const reply = (talk: ReturnType<typeof atWork>) =>
  talk.written().find((line) => 'result' in line && String(line.id) === '0');
const selected = (optionId: string) => ({ result: { outcome: { outcome: 'selected', optionId } } });
const CANCELLED = { result: { outcome: { outcome: 'cancelled' } } };
/** The agent has read the line behind the answer. */
const takesAnswer = (talk: ReturnType<typeof atWork>) =>
  talk.answers(`answered:${talk.of('approval/requested')[0]?.request.requestId}`, {});

describe('a request of the agent', () => {
  test('begins its call and says what it would do', () => {
    const talk = asked();
    expect(talk.of('tool/started')).toMatchObject([
      { toolId: 't', summary: 'git push origin main' },
    ]);
    expect(talk.of('approval/requested')[0]?.request).toMatchObject({
      toolId: 't',
      toolName: 'shell',
      acts: ['push'],
      suggestions: [{ label: 'Do allow_always' }],
      expiresAt: null,
    });
  });

  test('that is told again is one, and one of the same number in another process is another', () => {
    const talk = asked().asks(0, CALL, ...ALL);
    expect(talk.of('approval/requested')).toHaveLength(1);
    const idIn = (id: number) =>
      atWork()
        .asks(id, CALL, ...ALL)
        .of('approval/requested')[0];
    expect(idIn(0)?.request.requestId).not.toBe(idIn(1)?.request.requestId);
  });

  test('knows what was announced of its call', () => {
    const talk = atWork()
      .call('t', { ...CALL, status: 'pending' })
      .asks(0, { toolCallId: 't' }, 'allow_once');
    expect(talk.of('approval/requested')[0]?.request.summary).toBe('git push origin main');
    expect(talk.of('act/seen')).toHaveLength(1);
  });

  test('shows words that are not the call’s output', () => {
    const content = [{ type: 'content', content: { type: 'text', text: 'May I?' } }];
    const talk = atWork()
      .asks(0, { ...CALL, content }, 'allow_once')
      .call('t', { status: 'failed' });
    expect(talk.of('tool/ended')[0]?.output.text).toBe('');
  });

  test('without an option is refused, and nobody is asked', () => {
    const talk = atWork().asks(0, CALL);
    expect(talk.of('approval/requested')).toEqual([]);
    expect(talk.written().find(({ id }) => String(id) === '0')).toHaveProperty('error');
  });
});

describe('an answer', () => {
  test.each([
    ['once, not always, though that stands first', { decision: 'allow' }, ALL, 'allow_once'],
    ['always, where a person says so', { decision: 'allow', suggestion: 0 }, ALL, 'allow_always'],
    ['no, for this once', { decision: 'deny' }, ALL, 'reject_once'],
    [
      'no, as the agent has it',
      { decision: 'deny' },
      ['allow_once', 'reject_always'],
      'reject_always',
    ],
  ] as const)('is the option of its kind: %s', (_what, given, kinds, kind) => {
    expect(reply(asked(...kinds).decide(given))).toMatchObject(selected(`${kind}-id`));
  });

  test.each([
    ['allows more than was meant', { decision: 'allow' }, ['allow_always']],
    ['is not there', { decision: 'allow', suggestion: 4 }, ALL],
    ['says no', { decision: 'deny' }, ['allow_once']],
  ] as const)('is none of the options where the only one %s', (_what, given, kinds) => {
    const talk = asked(...kinds).decide(given);
    expect(reply(talk)).toMatchObject(CANCELLED);
    expect(takesAnswer(talk).of('approval/resolved')).toMatchObject([{ resolution: 'denied' }]);
  });

  test('is given once', () => {
    const talk = asked().decide({ decision: 'deny' }).decide({ decision: 'allow' });
    expect(talk.written().filter((line) => 'result' in line)).toHaveLength(1);
  });

  test('of yes is confirmed when the agent reads on, and the call goes on', () => {
    const talk = asked().decide({ decision: 'allow' });
    expect(talk.of('approval/resolved')).toEqual([]);
    expect(takesAnswer(talk).of('approval/resolved')).toMatchObject([{ resolution: 'allowed' }]);
    expect(talk.of('tool/ended')).toEqual([]);
    expect(takesAnswer(talk).of('approval/resolved')).toHaveLength(1);
  });

  test('of no ends the call, which the agent may never say, and its act was not done', () => {
    const talk = takesAnswer(asked().decide({ decision: 'deny' }));
    expect(talk.of('tool/ended')).toMatchObject([{ outcome: 'denied', exitCode: null }]);
    expect(talk.of('act/ended')).toMatchObject([{ outcome: 'not_done' }]);
    expect(talk.call('t', { status: 'failed' }).of('tool/ended')).toHaveLength(1);
  });

  test('of no makes a call denied that the agent calls failed before it reads on', () => {
    const talk = asked().decide({ decision: 'deny' }).call('t', { status: 'failed' });
    expect(talk.of('tool/ended')).toMatchObject([{ outcome: 'denied' }]);
  });

  test('of no with words says that the words are lost', () => {
    const lost = (message: string | null) =>
      asked().decide({ decision: 'deny', message }).of('notice/raised');
    expect(lost('Use a branch')).toMatchObject([{ code: 'message_lost' }]);
    expect(lost('  ')).toEqual([]);
  });
});

describe('an interrupt', () => {
  test('withdraws what waits, as the protocol demands, and no answer twice', () => {
    expect(reply(asked().interrupt())).toMatchObject(CANCELLED);
    const answered = asked().decide({ decision: 'allow' }).interrupt();
    expect(answered.written().filter((line) => 'result' in line)).toHaveLength(1);
  });
});
