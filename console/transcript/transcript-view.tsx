import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import {
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { FeedState } from '../feed/feed.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { cx } from '../lib/class-names.ts';
import { buttonClass } from '../ui/button.tsx';
import { findRows, listActRows } from './find.ts';
import { FindBar } from './find-bar.tsx';
import { RowView } from './row-view.tsx';
import { useKeys, useRows } from './use-rows.ts';

/** Nearer to the end than this counts as reading the newest, in px. */
const END_PX = 48;
const ROW_PX = 36;
const estimateSize = () => ROW_PX;

/** What the turns rail can ask of the transcript. */
export type TranscriptHandle = { showTurn: (turnId: string) => void };

type TranscriptViewProps = {
  feed: FeedState;
  view: SessionView;
  /** On a phone the card is pinned above the composer, and here stands only its line. */
  answerInPlace: boolean;
  ref: Ref<TranscriptHandle>;
};

/**
 * The session's work. Only what is near the screen is drawn. Who reads the newest follows it;
 * who reads something older is never moved, and is told how much came since.
 */
export function TranscriptView({ feed, view, answerInPlace, ref }: TranscriptViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const rows = useRows(feed, view, chosen);
  const acts = useMemo(() => listActRows(rows), [rows]);
  const getItemKey = useKeys(rows);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize,
    getItemKey,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: END_PX,
    overscan: 12,
    paddingEnd: 16,
  });
  const unseen = useUnseen(rows.length, virtualizer.isAtEnd(END_PX));
  const hasRows = rows.length > 0;
  useLayoutEffect(() => {
    if (hasRows) virtualizer.scrollToEnd();
  }, [hasRows, virtualizer]);
  const follows = useFollowingOnResize(scroller, virtualizer);
  useImperativeHandle(ref, () => ({
    showTurn: (turnId) => {
      const index = rows.findIndex(
        (row) => row.key === `turn:${turnId}` || row.key === `queued:${turnId}`,
      );
      if (index >= 0) virtualizer.scrollToIndex(index, { align: 'start' });
    },
  }));
  const [goneTo, setGoneTo] = useState<string | null>(null);
  const goneToIndex = useMemo(
    () => (goneTo === null ? -1 : rows.findIndex(({ key }) => key === goneTo)),
    [rows, goneTo],
  );
  const goTo = (index: number) => {
    setGoneTo(rows[index]?.key ?? null);
    virtualizer.scrollToIndex(index, { align: 'center' });
  };
  const toggle = (key: string, open: boolean) => setChosen(new Map(chosen).set(key, !open));
  return (
    <div className="relative min-h-0 flex-1">
      {hasRows && (
        <FindBar
          at={goneToIndex}
          acts={acts}
          find={(typed) => findRows(rows, view.turns, typed)}
          goTo={goTo}
        />
      )}
      <div
        ref={scroller}
        onScroll={follows}
        role="log"
        // What a plain command prints has its lines where it put them.
        data-plain={view.launch.preset?.parser === 'text' || undefined}
        aria-label="Transcript"
        aria-live="off"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
        tabIndex={0}
        className="h-full overflow-y-auto [overflow-anchor:none]"
      >
        <div className="relative mx-auto max-w-4xl" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((place) => {
            const row = rows[place.index];
            return (
              row && (
                <div
                  key={place.key}
                  ref={virtualizer.measureElement}
                  data-index={place.index}
                  data-found={row.key === goneTo || undefined}
                  className="absolute inset-x-0 top-0 data-found:bg-accent-wash"
                  style={{ transform: `translateY(${place.start}px)` }}
                >
                  <RowView
                    row={row}
                    view={view}
                    presence={feed.presence}
                    chosen={chosen}
                    answerInPlace={answerInPlace}
                    toggle={toggle}
                  />
                </div>
              )
            );
          })}
        </div>
      </div>
      {unseen > 0 && (
        <button
          type="button"
          onClick={() => virtualizer.scrollToEnd()}
          className={cx(
            buttonClass('plain'),
            'absolute bottom-3 left-1/2 -translate-x-1/2 animate-appear',
          )}
        >
          {unseen} new <ArrowDown />
        </button>
      )}
    </div>
  );
}

/**
 * Keeps the end in sight when the room for it changes, as when a card or a keyboard takes a part
 * of it. Returns what to call on each scroll.
 */
function useFollowingOnResize(
  scroller: RefObject<HTMLDivElement | null>,
  virtualizer: Pick<Virtualizer<HTMLDivElement, Element>, 'isAtEnd' | 'scrollToEnd'>,
): () => void {
  const atEnd = useRef(true);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => {
      if (atEnd.current) virtualizer.scrollToEnd();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, virtualizer]);
  return () => {
    atEnd.current = virtualizer.isAtEnd(END_PX);
  };
}

/** How many rows came since the reader left the end. */
function useUnseen(count: number, atEnd: boolean): number {
  const [seen, setSeen] = useState(count);
  if (seen !== count && (atEnd || count < seen)) setSeen(count);
  return atEnd ? 0 : Math.max(0, count - seen);
}
