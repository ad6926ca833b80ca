import { describe, expect, it } from 'vitest';
import { LOCAL_ACTOR } from '../../../../protocol/ids.ts';
import {
  CHAT_STEPS_MAX,
  type ChatEntry,
  type ChatEvent,
} from '../../../../protocol/operator-chat.ts';
import { decideStep, openCalls } from '../../../../workers/relay/chat/step.ts';
import { messagesOf, WINDOW_CHARS } from '../../../../workers/relay/chat/messages.ts';
import { calledAs } from '../../../../workers/relay/chat/result.ts';
import { unsettledUsage } from '../../../../workers/pilot/brains/model-usage.ts';

const usage = unsettledUsage('m');
const said: ChatEvent = { type: 'said', text: 'Watch', actorId: LOCAL_ACTOR };
const stopped: ChatEvent = { type: 'stopped', actorId: LOCAL_ACTOR };
const answered = (upTo: number, ...ids: string[]): Extract<ChatEvent, { type: 'answered' }> => ({
  type: 'answered',
  text: ids.length === 0 ? 'Done.' : '',
  calls: ids.map((callId) => ({
    callId,
    toolCallId: `t-${callId}`,
    name: 'tmux_capture_pane',
    input: {},
  })),
  usage,
  upTo,
});
const record = (...events: ChatEvent[]): ChatEntry[] =>
  events.map((event, index) => ({ seq: index + 1, at: 1, event }));
const next = (...events: ChatEvent[]) => decideStep(record(...events));
const called = (id: string) => calledAs(id, 'done', 'ok');

describe('the next step', () => {
  it('is none without words, after an answer without calls, and after a stop', () => {
    expect(next()).toEqual({ do: 'rest' });
    expect(next(said, answered(1))).toEqual({ do: 'rest' });
    expect(next(said, answered(1, 'a'), stopped)).toEqual({ do: 'rest' });
    expect(next(said, { type: 'halted', reason: 'x' })).toEqual({ do: 'rest' });
  });

  it('is each call in turn, and then the model', () => {
    expect(next(said)).toEqual({ do: 'ask' });
    expect(next(said, answered(1, 'a', 'b'))).toMatchObject({ do: 'call', call: { callId: 'a' } });
    expect(next(said, answered(1, 'a', 'b'), called('a'))).toMatchObject({ call: { callId: 'b' } });
    expect(next(said, answered(1, 'a', 'b'), called('a'), called('b'))).toEqual({ do: 'ask' });
  });

  it('reads what was said while the model was thinking', () => {
    expect(next(said, said, answered(1))).toEqual({ do: 'ask' });
    expect(next(said, said, answered(2))).toEqual({ do: 'rest' });
  });

  it('is a halt after as many answers as one message may lead to, lost ones included', () => {
    const round = (index: number): ChatEvent[] =>
      index % 2 === 0 ? [{ type: 'lost', usage }] : [answered(1, `c${index}`), called(`c${index}`)];
    const many = Array.from({ length: CHAT_STEPS_MAX }, (_, index) => round(index)).flat();
    expect(next(said, ...many)).toMatchObject({ do: 'halt' });
    expect(next(said, ...many.slice(0, -2))).toEqual({ do: 'ask' });
    expect(next(said, ...many, said)).toEqual({ do: 'ask' });
  });

  it('leaves no call open that has a result', () => {
    const entries = record(said, answered(1, 'a', 'b'), called('b'));
    expect(openCalls(entries).map(({ callId }) => callId)).toEqual(['a']);
  });
});

describe('the conversation as a model reads it', () => {
  it('has each call’s result right after it, and what was said meanwhile behind', () => {
    const messages = messagesOf(record(said, answered(1, 'a', 'b'), said, called('a')));
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(messages[2]?.content).toMatchObject([
      { toolCallId: 't-a', output: { value: 'ok' } },
      { toolCallId: 't-b', output: { value: 'It was not done.' } },
    ]);
  });

  it('has what the model had not read behind its answer, and ends with it', () => {
    const text = (words: string): ChatEvent => ({ ...said, text: words });
    const heard = messagesOf(record(text('one'), text('two'), answered(1)));
    expect(heard.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(heard.at(-1)?.content).toBe('two');
    const called2 = messagesOf(record(text('one'), text('two'), answered(1, 'a'), called('a')));
    expect(called2.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    const read = messagesOf(record(text('one'), text('two'), answered(2), text('three')));
    expect(read.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'user']);
  });

  it('has no more than its window, the newest of it, and the last words of the person', () => {
    const long = (upTo: number): ChatEvent => ({
      ...answered(upTo, `c${upTo}`),
      text: `${upTo}`.padEnd(20_000, 'x'),
    });
    const old: ChatEvent = { ...said, text: 'old' };
    const many = Array.from({ length: 30 }, (_, index) => [
      long(index + 2),
      called(`c${index + 2}`),
    ]);
    const messages = messagesOf(record(old, said, ...many.flat()));
    expect(JSON.stringify(messages).length).toBeLessThan(WINDOW_CHARS + 1_000);
    expect(JSON.stringify(messages).length).toBeGreaterThan(WINDOW_CHARS / 2);
    expect(messages.slice(0, 3).map(({ role }) => role)).toEqual(['user', 'user', 'assistant']);
    expect(messages[0]?.content).toContain('left out');
    expect(messages[1]?.content).toBe('Watch');
    expect(messages.at(-1)?.role).toBe('tool');
    expect(JSON.stringify(messages)).not.toContain('old');
  });

  it('leaves the oldest results out when they are many', () => {
    const big = (id: string) => calledAs(id, 'done', id.repeat(25_000));
    const text = JSON.stringify(
      messagesOf(record(said, answered(1, 'a', 'b', 'c'), big('a'), big('b'), big('c'))),
    );
    expect(text).not.toContain('aaaa');
    expect(text).toContain('bbbb');
    expect(text).toContain('This result is old and left out');
  });
});
