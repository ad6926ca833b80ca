import { feedFrame, type FeedFrame } from '../../protocol/console-frames.ts';
import { type Mark, readMarks } from './lines.ts';

/** A frame as it came to a viewer, and when, in ms of the monotonic clock. */
export type Frame = { at: number; text: string };

/** A mark that became visible to a viewer. */
export type Arrival = Mark & { seenAt: number };

/** What was sent did not all arrive, or not in its order: the figures of such a run mean nothing. */
export class LossError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LossError';
  }
}

/** Arrivals at the end of a bare relay: a frame is a line. */
export function readBare(frames: readonly Frame[]): Arrival[] {
  return frames.flatMap(({ at, text }) => readMarks(text).map((mark) => ({ ...mark, seenAt: at })));
}

/** Arrivals of stored events, whose positions must follow each other. Throws {@link LossError}. */
export function readEvents(frames: readonly Frame[]): Arrival[] {
  const arrivals: Arrival[] = [];
  let position: number | null = null;
  for (const { at, text } of frames) {
    const frame = parse(text);
    if (frame.type !== 'entries') continue;
    for (const entry of frame.entries) {
      if (position !== null && entry.position !== position + 1)
        throw new LossError(`position ${entry.position} follows ${position}`);
      position = entry.position;
      if (entry.event.type !== 'text/completed') continue;
      for (const mark of readMarks(entry.event.text.text)) arrivals.push({ ...mark, seenAt: at });
    }
  }
  return arrivals;
}

/**
 * Arrivals of text as a viewer builds it: deltas extend a block, the completed block replaces it.
 * A mark arrives when it is first to be read, and what a delta showed must stand in the completed
 * block. Answered block by block: the deltas of one may be seen before the record holds the one
 * before it. Throws {@link LossError} on a delta that leaves a hole.
 */
export function readDeltas(frames: readonly Frame[]): Arrival[] {
  const blocks = new Map<string, Arrival[]>();
  const open = new Map<string, string>();
  const show = (at: number, blockId: string, text: string) => {
    const shown = readMarks(open.get(blockId) ?? '').length;
    const fresh = readMarks(text).slice(shown);
    const seen = blocks.get(blockId) ?? [];
    blocks.set(blockId, [...seen, ...fresh.map((mark) => ({ ...mark, seenAt: at }))]);
    open.set(blockId, text);
  };
  for (const { at, text } of frames) {
    const frame = parse(text);
    if (frame.type === 'deltas') {
      for (const { blockId, offset, text: piece } of frame.deltas) {
        const held = open.get(blockId) ?? '';
        if (offset > held.length)
          throw new LossError(`text of ${blockId} has a hole from ${held.length} to ${offset}`);
        show(at, blockId, held.slice(0, offset) + piece);
      }
    } else if (frame.type === 'entries') {
      for (const { event } of frame.entries) {
        if (event.type !== 'text/completed') continue;
        const whole = event.text.text;
        if (!whole.startsWith(open.get(event.blockId) ?? ''))
          throw new LossError(`block ${event.blockId} is not what its deltas showed`);
        show(at, event.blockId, whole);
        open.delete(event.blockId);
      }
    }
  }
  const first = (arrivals: readonly Arrival[]) => arrivals[0]?.index ?? 0;
  return [...blocks.values()].sort((a, b) => first(a) - first(b)).flat();
}

/** Holds arrivals to `count` marks from 0, each once and in order. Throws {@link LossError}. */
export function checkWhole(arrivals: readonly Arrival[], count: number): void {
  for (const [due, { index }] of arrivals.entries()) {
    if (index !== due) throw new LossError(`mark ${index} came where ${due} was due`);
  }
  if (arrivals.length !== count)
    throw new LossError(`${count} were sent and ${arrivals.length} arrived`);
}

function parse(text: string): FeedFrame {
  return feedFrame.parse(JSON.parse(text));
}
