import { ownEntry } from '../acts/own.ts';
import { type Draft, notice, patch } from './draft.ts';

/** What a parser keeps of the lines that it could not read, until it has told of them. */
export type Ignored = { unknownLines: Readonly<Record<string, number>>; garbage: number };

/** How many broken lines of one turn are told of one by one; the rest are counted. */
const TOLD_ONE_BY_ONE = 3;

/** A line that is not what the engine's protocol says: told, never fatal. */
export function ignoreGarbage(draft: Draft<Ignored>, line: string): void {
  patch(draft, { garbage: draft.state.garbage + 1 });
  if (draft.state.garbage > TOLD_ONE_BY_ONE) return;
  const size = Buffer.byteLength(line);
  notice(
    draft,
    'warning',
    'line_unreadable',
    `The engine wrote a line of ${size} bytes that is not in its own format. It was ignored.`,
  );
}

/** A well-formed line of a kind that this version does not know, as a newer engine writes. */
export function ignoreUnknown(draft: Draft<Ignored>, kind: string): void {
  const { unknownLines } = draft.state;
  patch(draft, {
    unknownLines: { ...unknownLines, [kind]: (ownEntry(unknownLines, kind) ?? 0) + 1 },
  });
}

/** Sums up what was ignored since the last time, so that nothing is dropped silently. */
export function reportIgnored(draft: Draft<Ignored>): void {
  const { unknownLines, garbage } = draft.state;
  const kinds = Object.entries(unknownLines).map(([kind, count]) => `${kind} ×${count}`);
  if (garbage > TOLD_ONE_BY_ONE) {
    notice(
      draft,
      'warning',
      'lines_unreadable',
      `${garbage} lines of the engine in this turn were not in its own format and were ignored.`,
    );
  }
  if (kinds.length > 0) {
    notice(
      draft,
      'info',
      'lines_unknown',
      `Lines of the engine that this version does not know were ignored: ${kinds.join(', ')}.`,
    );
  }
  patch(draft, { unknownLines: {}, garbage: 0 });
}
