import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SEND_LIMITS, type SendLimits } from '../../../protocol/delivery.ts';
import { actId, launchId, sessionId } from '../../../protocol/ids.ts';
import { FRAME_MAX_EVENTS, runnerFrame } from '../../../protocol/runner-frames.ts';
import { Outbox } from '../../../runner/link/outbox.ts';
import { FRAME_MAX_BYTES, Sender } from '../../../runner/link/sender.ts';
import { Store } from '../../../runner/link/store.ts';
import { SESSION } from '../../support/protocol-builders.ts';

const OTHER = sessionId.parse('ses_other');
let store: Store;
let outbox: Outbox;
beforeEach(() => {
  store = new Store(':memory:');
  outbox = new Outbox(store);
});
afterEach(() => store.close());

const event = (message = 'x') =>
  ({ type: 'notice/raised', level: 'info', code: 'test', message }) as const;
const append = (count: number, id = SESSION, message?: string) =>
  outbox.append(
    id,
    1,
    Array.from({ length: count }, () => event(message)),
  );
const aSender = (limits: Partial<SendLimits> = {}) =>
  new Sender(outbox, { ...SEND_LIMITS, ...limits });
const seqsOf = (frames: readonly string[]) =>
  frames.map((frame) => {
    const parsed = runnerFrame.parse(JSON.parse(frame));
    if (parsed.type !== 'events') throw new Error('not events');
    return parsed.events.map(({ seq }) => seq);
  });

describe('a new connection', () => {
  test('sends everything that the cloud has not stored', () => {
    append(3);
    const sender = aSender();
    sender.open([{ sessionId: SESSION, upTo: 1 }]);
    expect(seqsOf(sender.next(0).frames)).toEqual([[2, 3]]);
  });

  test('sends the sessions of which the cloud knows nothing from their beginning', () => {
    append(2);
    const sender = aSender();
    sender.open([]);
    expect(seqsOf(sender.next(0).frames)).toEqual([[1, 2]]);
  });

  test('says what an older cloud does not know in the words that it has', () => {
    const act = {
      actId: actId.parse('act_1'),
      turnId: null,
      toolId: null,
      kind: 'push',
      command: 'git push',
      target: null,
      uncertain: false,
      witness: 'guard',
    } as const;
    const { actId: of } = act;
    const error = { code: 'conversation_lost', message: 'It knows no "guard".' } as const;
    const failed = {
      launchId: launchId.parse('lau_1'),
      state: 'provider_failed',
      stage: 'spawned',
      elapsedMs: 1,
      stderrTail: [] as string[],
    } as const;
    const word = { by: 'guard', finding: 'judged', move: null, evidence: 'It said no.' } as const;
    outbox.append(SESSION, 1, [
      { type: 'act/seen', act },
      { type: 'act/witnessed', actId: of, ...word },
      { type: 'launch/failed', ...failed, error },
      event('"guard"'),
    ]);
    const sent = (olderWords: boolean) => {
      const sender = aSender();
      sender.open([], olderWords);
      return sender.next(0).frames.join('');
    };
    const older = sent(true);
    expect(older).toContain('"witness":"stream"');
    expect(older).toContain('"by":"gate"');
    expect(older).toContain('"code":"unknown","message":"It knows no \\"guard\\"."');
    expect(seqsOf([older])).toEqual([[1, 2, 3, 4]]);
    expect(sent(false)).toMatch(/"witness":"guard".*"by":"guard".*"conversation_lost"/);
  });

  test('sends nothing of a session that is stored to its end', () => {
    append(2);
    const sender = aSender();
    sender.open([{ sessionId: SESSION, upTo: 2 }]);
    expect(sender.next(0)).toEqual({ frames: [], wakeAt: null });
  });

  test('sends again what was sent on the one before and never acked', () => {
    append(2);
    const sender = aSender();
    sender.open([]);
    sender.next(0);
    sender.open([]);
    expect(seqsOf(sender.next(0).frames)).toEqual([[1, 2]]);
  });
});

describe('what happens while a connection is open', () => {
  test('is sent at once when nothing is on its way', () => {
    const sender = aSender();
    sender.open([]);
    sender.extend(SESSION, append(1));
    expect(seqsOf(sender.next(0).frames)).toEqual([[1]]);
  });

  test('is sent at once beside a few frames that are on their way', () => {
    append(1);
    const sender = aSender({ maxFrames: 2 });
    sender.open([]);
    sender.next(0);
    sender.extend(SESSION, append(1));
    expect(seqsOf(sender.next(0).frames)).toEqual([[2]]);
  });

  test('waits for the ack of what is on its way, but not for long', () => {
    append(1);
    const sender = aSender({ maxFrames: 1, maxWaitMs: 25 });
    sender.open([]);
    sender.next(100);
    sender.extend(SESSION, append(1));
    expect(sender.next(110)).toEqual({ frames: [], wakeAt: 125 });
    expect(seqsOf(sender.next(125).frames)).toEqual([[2]]);
  });

  test('is not given up for an ack of what was never sent', () => {
    append(3);
    const sender = aSender({ maxBatch: 2, maxFrames: 1 });
    sender.open([]);
    expect(seqsOf(sender.next(0).frames)).toEqual([[1, 2]]);
    expect(sender.acknowledge(SESSION, 3, 5)).toBeNull();
    expect(sender.acknowledge(SESSION, 2, 5)).toMatchObject({ ackedUpTo: 2, lastSeq: 3 });
    expect(seqsOf(sender.next(5).frames)).toEqual([[3]]);
    expect(sender.acknowledge(SESSION, 9, 5)).toBeNull();
  });

  test('goes out together when the ack comes', () => {
    append(1);
    const sender = aSender({ maxFrames: 1 });
    sender.open([]);
    sender.next(0);
    for (let time = 0; time < 3; time++) sender.extend(SESSION, append(1));
    expect(sender.acknowledge(SESSION, 1, 5)).toMatchObject({ ackedUpTo: 1, lastSeq: 4 });
    expect(seqsOf(sender.next(5).frames)).toEqual([[2, 3, 4]]);
  });

  test('of one session does not wait for another', () => {
    append(1);
    const sender = aSender();
    sender.open([]);
    sender.next(0);
    sender.extend(OTHER, append(1, OTHER));
    expect(sender.next(1).frames).toHaveLength(1);
  });

  test('of several sessions is woken for by the first of them', () => {
    append(1);
    append(1, OTHER);
    const sender = aSender({ maxFrames: 1, maxWaitMs: 25 });
    sender.open([]);
    sender.next(100);
    sender.extend(SESSION, append(1));
    sender.extend(OTHER, append(1, OTHER));
    sender.acknowledge(OTHER, 1, 110);
    expect(sender.next(112).wakeAt).toBe(125);
  });
});

describe('a frame', () => {
  test('holds no more events than the protocol allows, whatever the limits say', () => {
    append(FRAME_MAX_EVENTS + 5);
    const sender = aSender({ maxBatch: 10 * FRAME_MAX_EVENTS });
    sender.open([]);
    expect(seqsOf(sender.next(0).frames)[0]).toHaveLength(FRAME_MAX_EVENTS);
  });

  test('ends at its bound of bytes, and the rest follows', () => {
    append(3, SESSION, 'x'.repeat(FRAME_MAX_BYTES / 2));
    const sender = aSender();
    sender.open([]);
    const first = seqsOf(sender.next(0).frames);
    sender.acknowledge(SESSION, 1, 1);
    const second = seqsOf(sender.next(1).frames);
    expect([...first, ...second]).toEqual([[1], [2]]);
  });

  test('holds an event that alone is longer than the bound', () => {
    append(1, SESSION, 'x'.repeat(2 * FRAME_MAX_BYTES));
    const sender = aSender();
    sender.open([]);
    expect(seqsOf(sender.next(0).frames)).toEqual([[1]]);
  });
});

describe('an ack', () => {
  test('of a session that this connection never named is kept', () => {
    append(2);
    const sender = aSender();
    expect(sender.acknowledge(SESSION, 1, 0)).toMatchObject({ ackedUpTo: 1 });
    expect(outbox.read(SESSION).ackedUpTo).toBe(1);
  });
});

test('however events, acks and lost connections alternate, each is sent in order and none is left', () => {
  const step = fc.constantFrom('append', 'send', 'ack', 'reconnect');
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const own = new Store(':memory:');
      const box = new Outbox(own);
      const sender = new Sender(box, { maxBatch: 3, maxInFlight: 5, maxFrames: 2, maxWaitMs: 10 });
      let now = 0;
      let stored = 0;
      const wire: number[] = [];
      const send = () => {
        now += 10;
        wire.push(...seqsOf(sender.next(now).frames).flat());
      };
      const ack = () => {
        for (const seq of wire.splice(0)) if (seq === stored + 1) stored = seq;
        sender.acknowledge(SESSION, stored, now);
      };
      sender.open([]);
      for (const each of steps) {
        if (each === 'append') sender.extend(SESSION, box.append(SESSION, now, [event()]));
        else if (each === 'send') send();
        else if (each === 'ack') ack();
        else {
          wire.length = 0;
          sender.open([{ sessionId: SESSION, upTo: stored }]);
        }
      }
      const made = box.read(SESSION).lastSeq;
      for (let round = 0; round <= made; round++) {
        send();
        ack();
      }
      expect(stored).toBe(made);
      expect(box.list()).toEqual([]);
      own.close();
    }),
    { numRuns: 60 },
  );
});
