import type { Traffic } from '../../support/model-api/raw-claude.ts';

export type Recorded = {
  t: number;
  dir: Traffic['dir'] | 'argv';
  line: unknown;
};

/** Longest text and list that a recording keeps: enough for a parser, small enough to review. */
const MAX_TEXT = 700;
const MAX_LIST = 8;

/** Lists whose every item means something to a reader of the recording. */
const WHOLE_LISTS = new Set(['content', 'capabilities', 'questions', 'options', 'argv']);

/**
 * Makes a recording the same on every machine: each `[from, to]` text is exchanged, longest first
 * as given, long texts are cut with a mark and long lists shortened.
 */
export function normalise(
  value: unknown,
  exchange: readonly (readonly [string, string])[],
): unknown {
  const walk = (item: unknown, key: string): unknown => {
    if (typeof item === 'string') {
      const text = exchange.reduce((all, [from, to]) => all.replaceAll(from, to), item);
      return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…[cut]` : text;
    }
    if (Array.isArray(item)) {
      const kept = WHOLE_LISTS.has(key) ? item : item.slice(0, MAX_LIST);
      return kept.map((each: unknown) => walk(each, key));
    }
    if (item !== null && typeof item === 'object') {
      return Object.fromEntries(
        Object.entries(item).map(([name, each]) => [walk(name, ''), walk(each, name)]),
      );
    }
    return item;
  };
  return walk(value, '');
}

/** One JSON line per record, as the golden files hold them. */
export const toJsonLines = (records: readonly Recorded[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
