import { describe, expect, test } from 'vitest';
import { turnId } from '../../../protocol/ids.ts';
import { turnUuid } from '../../../runner/engines/ids.ts';
import { aConversation, assistant, figures, FIRST, FIRST_UUID, result } from './harness.ts';

const SECOND = turnId.parse('trn_second');
const text = (words: string) => assistant([{ type: 'text', text: words }]);
const story = (conversation: ReturnType<typeof aConversation>) =>
  conversation.events().flatMap((event) => {
    if (event.type === 'turn/delivered') return [`${event.turnId} ${event.delivery}`];
    if (event.type === 'turn/started') return [`${event.turnId} started by ${event.origin}`];
    if (event.type === 'turn/ended') return [`${event.turnId} ${event.outcome}`];
    return [];
  });

describe('turns', () => {
  test('an instruction is confirmed when queued and begun when started', () => {
    const conversation = aConversation();
    conversation.instruct('go');
    conversation.line({ type: 'command_lifecycle', command_uuid: FIRST_UUID, state: 'queued' });
    conversation.line({ type: 'command_lifecycle', command_uuid: FIRST_UUID, state: 'started' });
    conversation.line({
      type: 'user',
      uuid: FIRST_UUID,
      isReplay: true,
      message: { content: 'go' },
    });
    conversation.line(result(figures(1)));
    expect(story(conversation)).toEqual([
      'trn_first confirmed',
      'trn_first started by instruction',
      'trn_first ok',
    ]);
  });

  test('the echo alone is enough, as with older versions', () => {
    const conversation = aConversation();
    conversation.instruct('go');
    conversation.line({
      type: 'user',
      uuid: FIRST_UUID,
      isReplay: true,
      message: { content: 'go' },
    });
    expect(story(conversation)).toEqual([
      'trn_first confirmed',
      'trn_first started by instruction',
    ]);
  });

  test('the echo of another’s words begins nothing', () => {
    const conversation = aConversation();
    conversation.instruct('go');
    conversation.line({
      type: 'user',
      uuid: 'someone-else',
      isReplay: true,
      message: { content: 'go' },
    });
    expect(story(conversation)).toEqual([]);
  });

  test('an instruction taken into a running turn ends with it and claims none of its cost', () => {
    const conversation = aConversation().begin();
    conversation.instruct('also this', SECOND);
    conversation.line({
      type: 'command_lifecycle',
      command_uuid: turnUuid(SECOND),
      state: 'started',
    });
    conversation.line(result(figures(1)));
    expect(story(conversation).slice(2)).toEqual([
      'trn_second confirmed',
      'trn_first ok',
      'trn_second started by instruction',
      'trn_second ok',
    ]);
    expect(conversation.of('turn/ended').map((event) => event.usage)).toEqual([
      'recorded',
      'unobservable',
    ]);
  });

  test('a turn that the engine begins by itself is not an instruction’s, even when one waits', () => {
    const conversation = aConversation().begin();
    conversation.line(result(figures(1)));
    conversation.instruct('next', SECOND);
    conversation.line(text('a background task ended'));
    conversation.line(result(figures(2), { origin: { kind: 'task-notification' } }));
    conversation.line({
      type: 'command_lifecycle',
      command_uuid: turnUuid(SECOND),
      state: 'started',
    });
    const [own] = conversation.of('turn/started').filter((event) => event.origin === 'engine');
    expect(story(conversation).slice(3)).toEqual([
      `${own?.turnId} started by engine`,
      `${own?.turnId} ok`,
      'trn_second confirmed',
      'trn_second started by instruction',
    ]);
  });

  test('the id of such a turn is the same when its line is read again', () => {
    const line = text('a task ended');
    const ids = [aConversation(), aConversation()].map((conversation) => {
      conversation.line(line);
      return conversation.of('turn/started')[0]?.turnId;
    });
    expect(ids[0]).toBe(ids[1]);
  });

  test('a subagent that works on in the background begins no turn', () => {
    const conversation = aConversation();
    conversation.line({ ...text('still working'), parent_tool_use_id: 'agent-1' });
    expect(story(conversation)).toEqual([]);
    expect(conversation.of('text/completed')[0]).toMatchObject({
      turnId: null,
      parentToolId: 'agent-1',
    });
  });

  test.each([
    ['cancelled', 'interrupted'],
    ['discarded', 'failed'],
    ['refused', 'failed'],
  ])('an instruction that the engine %s ends %s', (state, outcome) => {
    const conversation = aConversation();
    conversation.instruct('go');
    conversation.line({ type: 'command_lifecycle', command_uuid: FIRST_UUID, state });
    expect(story(conversation).at(-1)).toBe(`trn_first ${outcome}`);
    expect(conversation.state.pending).toEqual([]);
  });

  test('an instruction that the engine has already is not waited for', () => {
    const conversation = aConversation();
    conversation.instruct('go');
    conversation.line({
      type: 'user',
      uuid: FIRST_UUID,
      isReplay: true,
      message: { content: 'go' },
    });
    conversation.line({ type: 'command_lifecycle', command_uuid: FIRST_UUID, state: 'completed' });
    expect(conversation.of('turn/ended')).toMatchObject([{ outcome: 'unknown', usage: 'none' }]);
  });

  test('the end of an instruction that works is its result alone', () => {
    const conversation = aConversation().begin();
    conversation.line({ type: 'command_lifecycle', command_uuid: FIRST_UUID, state: 'completed' });
    expect(conversation.of('turn/ended')).toEqual([]);
  });

  test('an interrupt ends the turn as interrupted, and the next one is not', () => {
    const conversation = aConversation().begin();
    conversation.interrupt();
    conversation.line(
      result(figures(1), {
        subtype: 'error_during_execution',
        is_error: true,
        terminal_reason: 'aborted_streaming',
      }),
    );
    conversation.instruct('next', SECOND);
    conversation.line({
      type: 'command_lifecycle',
      command_uuid: turnUuid(SECOND),
      state: 'started',
    });
    conversation.line(result(figures(2)));
    expect(conversation.of('turn/ended').map((event) => [event.turnId, event.outcome])).toEqual([
      [FIRST, 'interrupted'],
      [SECOND, 'ok'],
    ]);
  });

  test('what a person types is never a command of the engine', () => {
    const conversation = aConversation();
    for (const words of ['/clear', '  /model x', '\n/cost']) conversation.instruct(words);
    const sent = conversation
      .written()
      .filter((line) => line['type'] === 'user')
      .map((line) => JSON.stringify(line['message']));
    for (const message of sent) expect(message).not.toMatch(/"text":"(\s|\\n)*\//);
    expect(sent.join()).toContain('/clear');
  });

  test('every line written is one line, whatever the words', () => {
    const conversation = aConversation();
    const words = 'a\nb\r\nc\u2028d"\\\u0000 \ud83d\ude80';
    const [item] = conversation.instruct(words);
    if (item?.kind !== 'write') throw new Error('nothing written');
    expect(item.line).not.toContain('\n');
    expect(JSON.parse(item.line).message.content[0].text).toBe(words);
  });
});
