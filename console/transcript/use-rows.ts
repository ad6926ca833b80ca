import { useMemo, useState } from 'react';
import type { SessionView } from '../../protocol/session-view.ts';
import type { FeedState } from '../feed/feed.ts';
import type { Transcript } from '../feed/transcript.ts';
import { keepSame } from '../lib/keep-same.ts';
import { type Arranged, arrangeItems } from './arrange.ts';
import { addComing, keepFolds, listRows, type Row } from './rows.ts';

/** Arranges a record again and again while it grows, each time from how it was arranged before. */
function createArranger(): (transcript: Transcript) => Arranged {
  let before: Arranged | null = null;
  return (transcript) => (before = arrangeItems(transcript, before));
}

/**
 * The lines of the page. They are asked for at each frame of a scroll, at each piece of text that is
 * on its way and at each press: what goes through the whole record is done when the record grows.
 */
export function useRows(
  { transcript, live }: Pick<FeedState, 'transcript' | 'live'>,
  { turns }: Pick<SessionView, 'turns'>,
  chosen: ReadonlyMap<string, boolean>,
): readonly Row[] {
  const [arrange] = useState(createArranger);
  const [foldsOf] = useState(keepFolds);
  const [sameRows] = useState(() => keepSame<Row>());
  const arranged = useMemo(() => arrange(transcript), [arrange, transcript]);
  const folds = foldsOf(arranged, chosen);
  const rows = useMemo(() => listRows(arranged, folds), [arranged, folds]);
  return useMemo(
    () => sameRows(addComing(rows, live, turns, transcript, chosen)),
    [sameRows, rows, live, turns, transcript, chosen],
  );
}

/**
 * How each line is known. The same function as long as the lines have the same names: with another
 * one the places of all of them are worked out anew.
 */
export function useKeys(rows: readonly Row[]): (index: number) => string | number {
  const [sameNames] = useState(() => keepSame<string>());
  const names = useMemo(() => sameNames(rows.map(({ key }) => key)), [sameNames, rows]);
  return useMemo(() => (index: number) => names[index] ?? index, [names]);
}
