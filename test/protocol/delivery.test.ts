import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  SEND_LIMITS,
  decideAccept,
  decideCommand,
  decideSend,
  isConsecutive,
  recordAck,
  recordSent,
  reopenWindow,
  type SendWindow,
} from '../../protocol/delivery.ts';

const fresh = (lastSeq: number): SendWindow => ({
  ackedUpTo: 0,
  sentUpTo: 0,
  lastSeq,
  frames: [],
  inFlightSince: null,
});

describe('a receiver', () => {
  it('accepts the next batch', () => {
    expect(decideAccept(3, 4, 6)).toEqual({ kind: 'accept', skip: 0, upTo: 6 });
  });
  it('takes only what is new of a batch that overlaps', () => {
    expect(decideAccept(5, 4, 8)).toEqual({ kind: 'accept', skip: 2, upTo: 8 });
  });
  it('knows a batch that it has', () => {
    expect(decideAccept(8, 4, 8)).toEqual({ kind: 'duplicate', upTo: 8 });
  });
  it('refuses a batch with something missing before it', () => {
    expect(decideAccept(3, 5, 6)).toEqual({ kind: 'gap', expected: 4 });
  });
  it('sees a hole inside a batch', () => {
    expect(isConsecutive([4, 5, 6])).toBe(true);
    expect(isConsecutive([4, 6])).toBe(false);
    expect(isConsecutive([5, 4])).toBe(false);
  });
});

/** A sender with `frames` frames of one event on their way since 100 ms, and one event more to send. */
const busy = (frames: number): SendWindow => {
  const seqs = Array.from({ length: frames }, (_, index) => index + 1);
  return seqs.reduce((window, to) => recordSent(window, to, 100), fresh(frames + 1));
};

describe('a sender', () => {
  it('sends at once when nothing is in flight', () => {
    expect(decideSend(fresh(1), 0, SEND_LIMITS)).toEqual({ kind: 'send', from: 1, to: 1 });
  });
  it('sends at once while few frames are in flight', () => {
    expect(decideSend(busy(3), 110, SEND_LIMITS)).toEqual({ kind: 'send', from: 4, to: 4 });
  });
  it('collects while as many frames are in flight as may be', () => {
    expect(decideSend(busy(4), 110, SEND_LIMITS)).toEqual({ kind: 'wait', untilMs: 125 });
  });
  it('does not collect for longer than the limit', () => {
    const window = { ...busy(4), lastSeq: 7 };
    expect(decideSend(window, 125, SEND_LIMITS)).toEqual({ kind: 'send', from: 5, to: 7 });
  });
  it('sends what was collected when an ack of a whole frame arrives', () => {
    const window = recordAck({ ...busy(4), lastSeq: 7 }, 1, 101);
    expect(decideSend(window, 101, SEND_LIMITS)).toEqual({ kind: 'send', from: 5, to: 7 });
  });
  it('waits on when an ack covers a part of its oldest frame', () => {
    const wide = [2, 4, 6, 8].reduce((window, to) => recordSent(window, to, 100), fresh(9));
    const window = recordAck(wide, 1, 101);
    expect(decideSend(window, 102, SEND_LIMITS)).toEqual({ kind: 'wait', untilMs: 126 });
  });
  it('never has more in flight than the limit', () => {
    const limits = { ...SEND_LIMITS, maxInFlight: 10 };
    const window = { ...recordSent(fresh(10), 10, 0), lastSeq: 50 };
    expect(decideSend(window, 10_000, limits)).toEqual({ kind: 'nothing' });
  });
  it('is not moved back by an old ack', () => {
    const window = { ackedUpTo: 8, sentUpTo: 9, lastSeq: 9, frames: [9], inFlightSince: 1 };
    expect(recordAck(window, 3, 5).ackedUpTo).toBe(8);
  });
  it('does not believe an ack of what it never had', () => {
    expect(recordAck(fresh(5), 900, 0)).toMatchObject({ ackedUpTo: 5, sentUpTo: 5 });
  });
  it('sends again on a new connection what the receiver has not stored', () => {
    const window = reopenWindow(
      { ackedUpTo: 2, sentUpTo: 9, lastSeq: 9, frames: [9], inFlightSince: 1 },
      4,
    );
    expect(decideSend(window, 0, SEND_LIMITS)).toEqual({ kind: 'send', from: 5, to: 9 });
  });
});

const LIMITS = { maxBatch: 4, maxInFlight: 9, maxFrames: 3, maxWaitMs: 25 };
type Wire = { from: number; to: number };

/**
 * A sender and a receiver with a wire between them that a random schedule drives: it delivers,
 * loses the connection with everything on it, or kills either end between any two steps.
 */
function runSchedule(steps: readonly number[], total: number) {
  let window = fresh(0);
  let wire: Wire[] = [];
  let acks: number[] = [];
  const stored: number[] = [];
  let now = 0;
  const accept = (batch: Wire) => {
    const decision = decideAccept(stored.length, batch.from, batch.to);
    if (decision.kind === 'accept') {
      for (let seq = batch.from + decision.skip; seq <= batch.to; seq++) stored.push(seq);
    }
    return decision.kind === 'gap' ? null : stored.length;
  };
  const step = (choice: number) => {
    now += 10;
    switch (choice % 6) {
      case 0:
        window = { ...window, lastSeq: Math.min(total, window.lastSeq + 1 + (choice % 5)) };
        break;
      case 1: {
        const decision = decideSend(window, now, LIMITS);
        if (decision.kind !== 'send') break;
        wire.push({ from: decision.from, to: decision.to });
        window = recordSent(window, decision.to, now);
        break;
      }
      case 2: {
        const batch = wire.shift();
        const upTo = batch && accept(batch);
        if (upTo !== undefined && upTo !== null) acks.push(upTo);
        break;
      }
      case 3: {
        const upTo = acks.shift();
        if (upTo !== undefined) window = recordAck(window, upTo, now);
        break;
      }
      case 4: {
        const batch = wire[0];
        if (batch) accept(batch);
        wire = [];
        acks = [];
        window = reopenWindow(window, stored.length);
        break;
      }
      default:
        acks.push(Math.max(0, stored.length - 1));
    }
    return { window, stored };
  };
  for (const choice of steps) {
    step(choice);
    expect(window.ackedUpTo).toBeLessThanOrEqual(stored.length);
  }
  window = { ...window, lastSeq: total };
  for (let i = 0; i < total * 8 + 40 && window.ackedUpTo < total; i++)
    for (const c of [4, 1, 2, 3]) step(c);
  return { window, stored };
}

describe('sender and receiver together', () => {
  it('store every event once and in order, ack nothing that is not stored, and empty the outbox', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1000), { maxLength: 200 }),
        fc.integer({ min: 1, max: 40 }),
        (steps, total) => {
          const { window, stored } = runSchedule(steps, total);
          expect(stored).toEqual(Array.from({ length: total }, (_, i) => i + 1));
          expect(window.ackedUpTo).toBe(total);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a command', () => {
  it('that is new is carried out', () => {
    expect(decideCommand({ state: 'absent' }, false, 10, 5)).toBe('execute');
  });
  it('that waited too long is not', () => {
    expect(decideCommand({ state: 'absent' }, false, 10, 11)).toBe('expired');
  });
  it('that was recorded and never reached its effect is carried out after a crash', () => {
    expect(decideCommand({ state: 'received' }, false, 10, 5)).toBe('execute');
  });
  it('that may have had its effect before a crash is reported unknown, not repeated', () => {
    expect(decideCommand({ state: 'handed' }, false, 10, 5)).toBe('unknown');
  });
  it('that is under way is left alone', () => {
    expect(decideCommand({ state: 'received' }, true, 10, 5)).toBe('already_running');
    expect(decideCommand({ state: 'handed' }, true, 10, 50)).toBe('already_running');
  });
  it('that is done is answered from the record, however late it comes again', () => {
    expect(decideCommand({ state: 'done' }, false, 10, 9_999)).toBe('answer_from_record');
  });

  it('acts at most once through any number of crashes and repeats', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('send', 'crash', 'finish'), { maxLength: 30 }),
        (events) => {
          let effects = 0;
          let state: 'absent' | 'received' | 'handed' | 'done' = 'absent';
          let running = false;
          for (const event of events) {
            if (event === 'crash') running = false;
            if (event === 'finish' && running) state = 'done';
            if (event !== 'send') continue;
            if (decideCommand({ state }, running, 10, 5) !== 'execute') continue;
            state = 'handed';
            running = true;
            effects++;
          }
          expect(effects).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
