import { beforeEach, describe, expect, test } from 'vitest';
import type { EngineEvent, TextDelta } from '../../../protocol/engine-event.ts';
import type { SessionPass } from '../../../runner/sessions/session-pass.ts';
import { SessionVoice } from '../../../runner/sessions/session-voice.ts';
import { turnEnded } from '../../support/feed-events.ts';
import { SESSION, TURN } from '../../support/protocol-builders.ts';

const SECRET = { name: 'API_KEY', value: 'sk-very-secret-0123456789' };

/** What the link and the kept outputs hear, in order. */
let heard: unknown[];
let shown: string;
let voice: SessionVoice;
beforeEach(() => {
  heard = [];
  shown = '';
  voice = new SessionVoice({
    link: {
      notify: (_id, lastSeq) => heard.push({ notify: lastSeq }),
      pushDelta: ({ text }: TextDelta) => (shown += text),
      settleDeltas: (_id, { type }) => heard.push({ settled: type }),
    },
    outputs: { save: (_id: string, toolId: string) => heard.push({ saved: toolId }) } as never,
  });
  voice.learn([SECRET]);
});

const passOf = (over: Partial<SessionPass>) =>
  ({ events: [], deltas: [], outputs: [], ...over }) as unknown as SessionPass;
const delta = (text: string, offset: number) => ({
  turnId: TURN,
  blockId: 'b',
  parentToolId: null,
  kind: 'answer' as const,
  offset,
  text,
});

describe('what a session says', () => {
  test('holds no secret, also not in two pieces of a text', () => {
    const text = `The key is ${SECRET.value}, they say.`;
    for (let at = 0; at < text.length; at += 7)
      voice.publish(SESSION, passOf({ deltas: [delta(text.slice(at, at + 7), at)] }), 0);
    expect(shown).toContain('The key is [redacted:API_KEY]');
    expect(shown).not.toContain('sk-very');
  });

  test('holds none that it learns of later, nor one of before, which its engine may remember', () => {
    const later = { name: 'NEW_TOKEN', value: 'a-later-value-987654' };
    voice.learnMore([later]);
    expect(voice.redactor.text(`${SECRET.value} ${later.value}`)).toBe(
      '[redacted:API_KEY] [redacted:NEW_TOKEN]',
    );
    const { redactor } = voice;
    voice.learnMore([SECRET, later]);
    expect(voice.redactor).toBe(redactor);
    voice.learn([later]);
    expect(voice.redactor.text(SECRET.value)).toBe(SECRET.value);
  });

  test('is kept and settled before the link is told that there is something to send', () => {
    const events: EngineEvent[] = [turnEnded()];
    voice.publish(SESSION, passOf({ events, outputs: [{ toolId: 't', text: 'x' }] }), 7);
    expect(heard).toEqual([{ saved: 't' }, { settled: 'turn/ended' }, { notify: 7 }]);
  });

  test('asks for nothing to be sent when there was no event', () => {
    voice.publish(SESSION, passOf({ deltas: [delta('Hello there, this is long enough.', 0)] }), 0);
    expect(heard).toEqual([]);
  });

  test('knows the secrets that it learned last', () => {
    voice.learn([{ name: 'OTHER', value: 'another-secret-value' }]);
    expect(voice.redactor.text(`${SECRET.value} another-secret-value`)).toBe(
      `${SECRET.value} [redacted:OTHER]`,
    );
  });
});
