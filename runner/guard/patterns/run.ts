import { ASCII } from './expression.ts';
import type { Table } from './explore.ts';

/** The longest match that begins at a place, and whether it could go on behind the end of the text. */
export type Found = { end: number | null; open: boolean };

/** Runs a table from a state over the characters from `from` on. */
export function endOfMatch(table: Table, begin: number, text: string, from: number): Found {
  const { classOf, classes, next, accepts, goesOn } = table;
  let state = begin;
  let end: number | null = null;
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code >= ASCII) return { end, open: false };
    state = next[state * classes + (classOf[code] as number)] as number;
    if (state === 0) return { end, open: false };
    at++;
    if (accepts[state] === 1) end = at;
  }
  return { end, open: goesOn[state] === 1 };
}

/** The longest beginning of a text that is the end of a match, wherever the match began; 0 for none. */
export function endAtStart(table: Table, text: string): number {
  const { classOf, classes, next, accepts } = table;
  let states: Iterable<number> = accepts.keys();
  let longest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const of = code < ASCII ? (classOf[code] as number) : 0;
    const after = new Set<number>();
    for (const state of states) {
      const to = next[state * classes + of] as number;
      if (to !== 0) after.add(to);
      if (accepts[to] === 1) longest = at + 1;
    }
    if (after.size === 0) break;
    states = after;
  }
  return longest;
}
