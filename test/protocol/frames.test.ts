import { describe, expect, it } from 'vitest';
import { consoleFrame, feedFrame } from '../../protocol/console-frames.ts';
import { sequencedEvent, textDelta, feedEntry } from '../../protocol/engine-event.ts';
import {
  FRAME_MAX_EVENTS,
  PING,
  PONG,
  relayFrame,
  runnerFrame,
} from '../../protocol/runner-frames.ts';
import { refusalReason } from '../../protocol/version.ts';
import { accepted, started } from '../support/feed-events.ts';
import { SESSION, entriesOf, viewAfter } from '../support/protocol-builders.ts';

const event = (seq: number) => ({ sessionId: SESSION, seq, at: 1, event: started() });
const delta = (over: Record<string, unknown> = {}) => ({
  sessionId: SESSION,
  turnId: null,
  blockId: 'm/0',
  parentToolId: null,
  kind: 'answer',
  offset: 0,
  text: 'Hel',
  ...over,
});

describe('a frame of events', () => {
  const frame = (count: number) =>
    runnerFrame.safeParse({
      type: 'events',
      events: Array.from({ length: count }, (_, index) => event(index + 1)),
    }).success;

  it('is full at its bound', () => {
    expect(frame(FRAME_MAX_EVENTS)).toBe(true);
    expect(frame(FRAME_MAX_EVENTS + 1)).toBe(false);
  });

  it('is not sent empty', () => {
    expect(frame(0)).toBe(false);
  });

  it.each([0, -1, 1.5])('holds no event of number %d', (seq) => {
    expect(sequencedEvent.safeParse(event(seq)).success).toBe(false);
  });

  it('holds nothing that only the cloud can say', () => {
    expect(sequencedEvent.safeParse({ ...event(1), event: accepted() }).success).toBe(false);
  });
});

describe('an entry of a record', () => {
  it('is the cloud’s or the runner’s', () => {
    expect(feedEntry.safeParse({ position: 1, at: 1, seq: null, event: accepted() }).success).toBe(
      true,
    );
    expect(feedEntry.safeParse({ position: 1, at: 1, seq: 1, event: started() }).success).toBe(
      true,
    );
  });

  it.each([{ position: 0 }, { position: 1.5 }, { seq: 0 }, { at: 'now' }, { event: {} }])(
    'is refused with %j',
    (over) => {
      const entry = { position: 1, at: 1, seq: null, event: accepted(), ...over };
      expect(feedEntry.safeParse(entry).success).toBe(false);
    },
  );
});

describe('text on its way', () => {
  it('says where in its block it begins', () => {
    expect(textDelta.parse(delta({ offset: 12 })).offset).toBe(12);
  });

  it.each([{ offset: -1 }, { offset: 0.5 }, { kind: 'narration' }, { text: null }, { blockId: 4 }])(
    'is refused with %j',
    (over) => {
      expect(textDelta.safeParse(delta(over)).success).toBe(false);
    },
  );
});

describe('a relay', () => {
  it('acks something', () => {
    expect(relayFrame.safeParse({ type: 'ack', cursors: [] }).success).toBe(false);
  });

  it('has stored nothing, or something, but not less than nothing', () => {
    const initialized = (upTo: number) =>
      relayFrame.safeParse({
        type: 'initialized',
        version: 1,
        capabilities: ['from-the-future'],
        cursors: [{ sessionId: SESSION, upTo }],
      }).success;
    expect(initialized(0)).toBe(true);
    expect(initialized(-1)).toBe(false);
  });

  it.each(refusalReason.options)('may refuse as %s', (reason) => {
    expect(relayFrame.safeParse({ type: 'refused', reason, message: 'm' }).success).toBe(true);
  });

  it('does not refuse for a reason that nobody knows', () => {
    const frame = { type: 'refused', reason: 'dislike', message: 'm' };
    expect(relayFrame.safeParse(frame).success).toBe(false);
  });
});

describe('a console', () => {
  it('begins after what it has', () => {
    expect(consoleFrame.parse({ type: 'subscribe', after: 0 })).toEqual({
      type: 'subscribe',
      after: 0,
    });
    expect(consoleFrame.safeParse({ type: 'subscribe', after: -1 }).success).toBe(false);
  });

  it('cannot say anything else', () => {
    expect(consoleFrame.safeParse({ type: 'entries', entries: [] }).success).toBe(false);
  });
});

describe('a feed', () => {
  it('begins with the whole view and where the record stands', () => {
    const snapshot = { type: 'snapshot', view: viewAfter(accepted()), upTo: 2, presence: 'online' };
    expect(feedFrame.parse(snapshot)).toEqual(snapshot);
  });

  it('sends entries and deltas, never none of them', () => {
    const entries = entriesOf([accepted()]);
    expect(feedFrame.safeParse({ type: 'entries', entries }).success).toBe(true);
    expect(feedFrame.safeParse({ type: 'entries', entries: [] }).success).toBe(false);
    expect(feedFrame.safeParse({ type: 'deltas', deltas: [] }).success).toBe(false);
  });
});

describe('the heartbeat', () => {
  it('is no JSON, so that it can never be taken for a frame', () => {
    for (const text of [PING, PONG]) expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(PING).not.toBe(PONG);
  });
});
