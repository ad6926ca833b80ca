import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FeedFrame } from '../../../protocol/console-frames.ts';
import type { FeedEntry, FeedEvent } from '../../../protocol/engine-event.ts';
import { turnId } from '../../../protocol/ids.ts';
import { skipSeen } from '../../../runner/cli/follow.ts';
import { EMPTY_TRANSCRIPT, renderFrame } from '../../../runner/cli/transcript.ts';
import {
  aUsage,
  created,
  entriesOf,
  SESSION,
  TURN,
  viewAfter,
} from '../../support/protocol-builders.ts';
import {
  accepted,
  anAct,
  anApproval,
  delta,
  ended,
  ready,
  said,
  started,
  toolEnded,
  toolStarted,
} from '../../support/transcript-events.ts';

/** Writes frames one after the other, as the terminal gets them. */
function write(frames: readonly FeedFrame[], live = false): string {
  const options = { sessionId: SESSION, paint: (_: string, text: string) => text, live };
  let state = EMPTY_TRANSCRIPT;
  return frames
    .map((frame) => {
      const step = renderFrame(state, frame, options);
      state = step.state;
      return step.text;
    })
    .join('');
}
const inFrames = (entries: readonly FeedEntry[]): FeedFrame[] =>
  entries.map((entry) => ({ type: 'entries', entries: [entry] }));

const event: fc.Arbitrary<FeedEvent> = fc.oneof(
  fc.nat(3).map((n) => accepted({ turnId: turnId.parse(`trn_${n}`), text: `say ${n}` })),
  fc.nat(3).map((n) => started({ turnId: turnId.parse(`trn_${n}`) })),
  fc.nat(3).map((n) => ended({ turnId: turnId.parse(`trn_${n}`) })),
  fc.nat(3).map((n) => toolStarted({ toolId: `tool-${n}`, summary: `run ${n}` })),
  fc.nat(3).map((n) => toolEnded({ toolId: `tool-${n}` })),
  fc.nat(3).map((n) => said(`word ${n}`, { blockId: `block-${n}` })),
  fc.constant<FeedEvent>({ type: 'act/seen', act: anAct() }),
  fc.constant<FeedEvent>({ type: 'act/ended', actId: anAct().actId, outcome: 'unknown' }),
  fc.constant<FeedEvent>({ type: 'usage/recorded', turnId: TURN, entries: [aUsage()] }),
  fc.constant<FeedEvent>({ type: 'approval/requested', request: anApproval() }),
  fc.constant<FeedEvent>(ready()),
);
const record = fc.array(event, { maxLength: 20 }).map(entriesOf);

describe('what is on the terminal', () => {
  it('does not depend on how the record was cut into frames', () => {
    fc.assert(
      fc.property(record, fc.array(fc.integer({ min: 1, max: 6 })), (entries, sizes) => {
        const frames: FeedFrame[] = [];
        for (let at = 0, next = 0; at < entries.length; next++) {
          const size = sizes[next] ?? 1;
          frames.push({ type: 'entries', entries: entries.slice(at, at + size) });
          at += size;
        }
        expect(write(frames)).toBe(write(inFrames(entries)));
      }),
    );
  });

  it('is the same over any number of drops, however much was sent again', () => {
    const drops = fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 6 });
    fc.assert(
      fc.property(record, drops, (entries, ranges) => {
        let cursor = 0;
        const fresh: FeedFrame[] = [];
        for (const [back, count] of [...ranges, [20, 40] as const]) {
          const from = Math.max(0, cursor - back);
          const part = entries.slice(from, from + count);
          if (part.length === 0) continue;
          const frame = skipSeen({ type: 'entries', entries: part }, cursor);
          if (frame?.type !== 'entries') continue;
          fresh.push(frame);
          cursor = frame.entries.at(-1)?.position ?? cursor;
        }
        const seen = entries.slice(0, cursor);
        expect(write(fresh)).toBe(write(inFrames(seen)));
      }),
    );
  });

  it('always ends with a whole line', () => {
    fc.assert(
      fc.property(record, (entries) => {
        expect(write(inFrames(entries))).toMatch(/(^|\n)$/);
      }),
    );
  });

  it('leaves the state before it as it was: a frame may be shown again from there', () => {
    fc.assert(
      fc.property(record, (entries) => {
        const options = {
          sessionId: SESSION,
          paint: (_: string, text: string) => text,
          live: false,
        };
        const frame: FeedFrame = { type: 'entries', entries };
        fc.pre(entries.length > 0);
        const first = renderFrame(EMPTY_TRANSCRIPT, frame, options).text;
        expect(renderFrame(EMPTY_TRANSCRIPT, frame, options).text).toBe(first);
        expect(EMPTY_TRANSCRIPT.turns.size).toBe(0);
      }),
    );
  });
});

describe('text that is streamed', () => {
  const words = fc.stringMatching(/^[a-z ]{1,30}$/);

  it('is on the terminal once, whatever else interrupts it', () => {
    const between = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(words, between, (text, interrupts) => {
        const frames: FeedFrame[] = [];
        const size = Math.max(1, Math.ceil(text.length / interrupts.length));
        for (const [index, interrupted] of interrupts.entries()) {
          const part = text.slice(index * size, (index + 1) * size);
          if (part) frames.push({ type: 'deltas', deltas: [delta(part, index * size)] });
          if (interrupted) frames.push({ type: 'presence', presence: 'online' });
        }
        frames.push({ type: 'entries', entries: entriesOf([said(text)]) });
        expect(write(frames, true)).toBe(`${text}\n`);
      }),
    );
  });

  it('that a tool call cut in two is completed whole below it', () => {
    const frames: FeedFrame[] = [
      { type: 'deltas', deltas: [delta('Hello', 0)] },
      { type: 'entries', entries: entriesOf([toolStarted()]) },
      { type: 'deltas', deltas: [delta(' world', 5)] },
      { type: 'entries', entries: entriesOf([said('Hello world')]) },
    ];
    expect(write(frames, true)).toBe('Hello\n▸ Bash npm test\nHello world\n');
  });

  it('of the next block begins on a new line', () => {
    const frames: FeedFrame[] = [
      { type: 'deltas', deltas: [delta('One', 0), delta('Two', 0, { blockId: 'block-2' })] },
    ];
    expect(write(frames, true)).toBe('One\nTwo');
  });

  it('never carries a control character to the terminal, in whichever pieces it comes', () => {
    const pieces = fc.array(fc.string({ unit: 'binary', minLength: 1 }), { maxLength: 6 });
    fc.assert(
      fc.property(pieces, (texts) => {
        let offset = 0;
        const deltas = texts.map((text) => {
          const one = delta(text, offset);
          offset += text.length;
          return one;
        });
        fc.pre(deltas.length > 0);
        expect(write([{ type: 'deltas', deltas }], true)).not.toMatch(/(?![\t\n])\p{Cc}/u);
      }),
    );
  });
});

describe('a viewer who begins in the middle', () => {
  const [first, second] = [turnId.parse('trn_1'), turnId.parse('trn_2')];
  const view = viewAfter(created(), accepted({ turnId: first }), accepted({ turnId: second }));
  const snapshot: FeedFrame = { type: 'snapshot', view, upTo: 3, presence: 'online' };

  it('sees the turns by the numbers that they have', () => {
    const end: FeedFrame = { type: 'entries', entries: entriesOf([ended({ turnId: second })]) };
    expect(write([snapshot, end])).toMatch(/^── turn 2 ok/);
  });

  it('is told no turn as one of the engine’s own that was accepted before', () => {
    const begin: FeedFrame = { type: 'entries', entries: entriesOf([started({ turnId: second })]) };
    expect(write([snapshot, begin])).toBe('');
  });

  it('keeps the numbers over a second snapshot', () => {
    const end: FeedFrame = { type: 'entries', entries: entriesOf([ended({ turnId: first })]) };
    expect(write([snapshot, snapshot, end])).toMatch(/^── turn 1 ok/);
  });
});

describe('what the feed itself says', () => {
  it('of a failure is told as it is', () => {
    const failed: FeedFrame = { type: 'failed', code: 'internal', message: 'It is gone.' };
    expect(write([failed])).toBe('It is gone.\n');
  });

  it.each(['offline', 'unknown'] as const)('of a machine that is %s is told', (presence) => {
    expect(write([{ type: 'presence', presence }])).toContain(`The machine is ${presence};`);
  });
});
