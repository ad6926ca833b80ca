import { describe, expect, test } from 'vitest';
import { turnId } from '../../../../protocol/ids.ts';
import { turnUuid } from '../../../../runner/engines/ids.ts';
import {
  aConversation,
  assistant,
  figures,
  FIRST,
  FIRST_UUID,
  result,
  toolUse,
} from '../harness.ts';

const SECOND = turnId.parse('trn_second');
const THIRD = turnId.parse('trn_third');
const life = (state: string, turn = FIRST) => ({
  type: 'command_lifecycle',
  command_uuid: turnUuid(turn),
  state,
});
const echo = (turn = FIRST) => ({
  type: 'user',
  uuid: turnUuid(turn),
  isReplay: true,
  message: { content: 'go' },
});
const text = (words: string) => assistant([{ type: 'text', text: words }]);
const ended = (conversation: ReturnType<typeof aConversation>) =>
  conversation.of('turn/ended').map(({ turnId: id, outcome }) => [id, outcome]);

describe('the engine’s word that it has an instruction', () => {
  test('is told once, however often it comes', () => {
    const conversation = aConversation();
    conversation.instruct('go');
    conversation.line(life('queued'));
    conversation.line(life('queued'));
    conversation.line(life('started'));
    conversation.line(echo());
    expect(conversation.of('turn/delivered')).toHaveLength(1);
    expect(conversation.of('turn/started')).toHaveLength(1);
  });

  test('about an instruction of somebody else is not ours', () => {
    const conversation = aConversation();
    conversation.instruct('go');
    conversation.line({ type: 'command_lifecycle', command_uuid: 'theirs', state: 'started' });
    expect(conversation.events()).toEqual([]);
  });

  test('in a state that nobody knows changes nothing', () => {
    const conversation = aConversation();
    conversation.instruct('go');
    conversation.line(life('pondering'));
    expect(conversation.events()).toEqual([]);
    expect(conversation.state.pending).toHaveLength(1);
  });

  test('in its first words, by the instruction’s name, is enough', () => {
    const conversation = aConversation();
    conversation.instruct('go');
    conversation.line({ ...text('hello'), user_message_uuid: FIRST_UUID });
    expect(conversation.of('turn/started')).toMatchObject([
      { turnId: FIRST, origin: 'instruction' },
    ]);
  });

  test('in its result alone is enough', () => {
    const conversation = aConversation();
    conversation.instruct('go');
    conversation.line(result(figures(1), { user_message_uuid: FIRST_UUID }));
    expect(ended(conversation)).toEqual([[FIRST, 'ok']]);
  });
});

describe('an engine that names no instructions', () => {
  test('has begun the oldest one when it works', () => {
    const conversation = aConversation();
    conversation.instruct('one');
    conversation.instruct('two', SECOND);
    conversation.line(text('hello'));
    expect(conversation.of('turn/started')).toMatchObject([{ turnId: FIRST }]);
    conversation.line(result(figures(1)));
    conversation.line(text('hello again'));
    expect(conversation.of('turn/started').map(({ turnId: id }) => id)).toEqual([FIRST, SECOND]);
  });

  test('is taken at its word from the first time that it names one', () => {
    const conversation = aConversation();
    conversation.instruct('one');
    conversation.line(echo());
    conversation.line(result(figures(1)));
    conversation.instruct('two', SECOND);
    conversation.line(text('of my own accord'));
    expect(conversation.of('turn/started').at(-1)).toMatchObject({ origin: 'engine' });
  });
});

describe('instructions that the engine took into a turn', () => {
  test('all end with it, each once', () => {
    const conversation = aConversation().begin();
    conversation.instruct('two', SECOND);
    conversation.instruct('three', THIRD);
    conversation.line(life('started', SECOND));
    conversation.line(life('started', THIRD));
    conversation.line(result(figures(1)));
    expect(ended(conversation)).toEqual([
      [FIRST, 'ok'],
      [SECOND, 'ok'],
      [THIRD, 'ok'],
    ]);
  });

  test('are named by its result where nothing named them before', () => {
    const conversation = aConversation().begin();
    conversation.instruct('two', SECOND);
    conversation.line(result(figures(1), { user_message_uuids: [FIRST_UUID, turnUuid(SECOND)] }));
    expect(ended(conversation)).toEqual([
      [FIRST, 'ok'],
      [SECOND, 'ok'],
    ]);
  });

  test('share its end, not its error', () => {
    const conversation = aConversation().begin();
    conversation.instruct('two', SECOND);
    conversation.line(life('started', SECOND));
    conversation.exit({ exitCode: 1, signal: null });
    expect(conversation.of('turn/ended')).toMatchObject([
      { outcome: 'failed', error: { code: 'engine_crashed' } },
      { outcome: 'failed', error: null, usage: 'unobservable' },
    ]);
  });

  test('are begun in the record before they end', () => {
    const conversation = aConversation().begin();
    conversation.instruct('two', SECOND);
    conversation.line(life('started', SECOND));
    conversation.line(result(figures(1)));
    const second = conversation
      .events()
      .flatMap((event) => ('turnId' in event && event.turnId === SECOND ? [event.type] : []));
    expect(second).toEqual(['turn/delivered', 'turn/started', 'turn/ended']);
  });
});

describe('an instruction that the engine drops', () => {
  test.each(['discarded', 'refused'])('(%s) says that it may be sent again', (state) => {
    const conversation = aConversation();
    conversation.instruct('go');
    conversation.line(life(state));
    const [end] = conversation.of('turn/ended');
    expect(end?.error?.message).toContain(state);
    expect(end?.error?.message).toContain('Send it again');
  });

  test('while another works leaves that one open', () => {
    const conversation = aConversation().begin();
    conversation.instruct('two', SECOND);
    conversation.line(life('cancelled', SECOND));
    expect(ended(conversation)).toEqual([[SECOND, 'interrupted']]);
    expect(conversation.state.open?.turnId).toBe(FIRST);
  });

  test('and that nobody gave is nobody’s', () => {
    const conversation = aConversation();
    conversation.line(life('cancelled'));
    expect(conversation.events()).toEqual([]);
  });
});

describe('an instruction that the engine says is completed', () => {
  test('before it worked on it ends unknown, with what to look at', () => {
    const conversation = aConversation();
    conversation.instruct('go');
    conversation.line(echo());
    conversation.line(life('completed'));
    const [end] = conversation.of('turn/ended');
    expect(end).toMatchObject({ outcome: 'unknown', usage: 'none', acts: 'none' });
    expect(end?.error?.message).toContain('transcript');
  });

  test('after it worked on it still has its result to come', () => {
    const conversation = aConversation();
    conversation.instruct('go');
    conversation.line(echo());
    conversation.line(text('working'));
    conversation.line(life('completed'));
    expect(ended(conversation)).toEqual([]);
    conversation.line(result(figures(1)));
    expect(ended(conversation)).toEqual([[FIRST, 'ok']]);
  });

  test('after a tool call of it still has its result to come', () => {
    const conversation = aConversation();
    conversation.instruct('go');
    conversation.line(echo());
    conversation.line(toolUse('t', 'Read', {}));
    conversation.line(life('completed'));
    expect(ended(conversation)).toEqual([]);
  });

  test('that is another one ends nothing', () => {
    const conversation = aConversation();
    conversation.instruct('go');
    conversation.line(echo());
    conversation.line(life('completed', SECOND));
    expect(ended(conversation)).toEqual([]);
  });
});

describe('the time of a turn', () => {
  test('is from its beginning to its end', () => {
    const conversation = aConversation().begin();
    conversation.line(text('a'));
    conversation.line(text('b'));
    conversation.line(result(figures(1)));
    expect(conversation.of('turn/ended')[0]?.durationMs).toBe(3_000);
  });
});
