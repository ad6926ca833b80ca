import type { FeedFrame } from '../../protocol/console-frames.ts';
import type { FeedEntry, TextDelta } from '../../protocol/engine-event.ts';
import type { Presence } from '../../protocol/machine.ts';
import { reduceSession } from '../../protocol/session-reduce.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { addDeltas, type LiveText, NO_LIVE_TEXT, settleLiveText } from './live-text.ts';
import { EMPTY_TRANSCRIPT, reduceTranscript, type Transcript } from './transcript.ts';

/** What a console knows of one session. Everything but the live text is the record's. */
export type FeedState = {
  view: SessionView | null;
  /** The last position that the view includes: entries up to it are not counted again. */
  viewUpTo: number;
  /** The last position in the transcript: the cursor to resume from. */
  cursor: number;
  /** The last position there was when the snapshot was taken: until then the record is catching up. */
  upTo: number;
  presence: Presence;
  transcript: Transcript;
  live: LiveText;
  /** An entry is missing: ask again from the cursor. Cleared by the next snapshot. */
  gap: boolean;
  /** The server refused to go on, in its words. */
  failure: { code: string; message: string } | null;
};

/** What is known before the first frame. */
export const EMPTY_FEED: FeedState = {
  view: null,
  viewUpTo: 0,
  cursor: 0,
  upTo: 0,
  presence: 'unknown',
  transcript: EMPTY_TRANSCRIPT,
  live: NO_LIVE_TEXT,
  gap: false,
  failure: null,
};

/**
 * Applies one frame. Whatever is repeated, overlaps or arrives after a hole, each entry is
 * applied once and in order: the state after any run of frames is that of the plain record.
 */
export function reduceFeed(state: FeedState, frame: FeedFrame): FeedState {
  switch (frame.type) {
    case 'snapshot':
      return takeSnapshot(state, frame);
    case 'entries':
      return takeEntries(state, frame.entries);
    case 'deltas':
      return takeDeltas(state, frame.deltas);
    case 'presence':
      return { ...state, presence: frame.presence };
    case 'failed':
      return { ...state, failure: { code: frame.code, message: frame.message } };
    default:
      return frame satisfies never;
  }
}

function takeSnapshot(
  state: FeedState,
  { view, upTo, presence }: Extract<FeedFrame, { type: 'snapshot' }>,
): FeedState {
  // A record shorter than what we have is another life of the storage: begin again.
  const kept = upTo < state.cursor ? EMPTY_FEED : state;
  // A snapshot older than the entries already applied would take the view back.
  const newer = kept.view === null || upTo >= kept.viewUpTo;
  return {
    ...kept,
    view: newer ? view : kept.view,
    viewUpTo: newer ? upTo : kept.viewUpTo,
    upTo,
    presence,
    // What is still being written follows the entries again, from its beginning.
    live: NO_LIVE_TEXT,
    gap: false,
    failure: null,
  };
}

function takeEntries(state: FeedState, entries: readonly FeedEntry[]): FeedState {
  const fresh: FeedEntry[] = [];
  let { cursor, gap, view, viewUpTo } = state;
  for (const entry of entries) {
    if (entry.position <= cursor) continue;
    if (entry.position > cursor + 1) {
      gap = true;
      break;
    }
    cursor = entry.position;
    fresh.push(entry);
    if (view && entry.position > viewUpTo) {
      view = reduceSession(view, entry);
      viewUpTo = entry.position;
    }
  }
  if (fresh.length === 0) return gap === state.gap ? state : { ...state, gap };
  return {
    ...state,
    view,
    viewUpTo,
    cursor,
    gap,
    transcript: reduceTranscript(state.transcript, fresh),
    live: settleLiveText(state.live, fresh),
  };
}

function takeDeltas(state: FeedState, deltas: readonly TextDelta[]): FeedState {
  const live = addDeltas(state.live, deltas, state.transcript.places);
  return { ...state, live };
}

/** Whether the record has been read up to where it was when the connection opened. */
export const isCaughtUp = (state: FeedState): boolean =>
  state.view !== null && state.cursor >= state.upTo;
