import { automatonOf, type Automaton, type Range } from './automaton.ts';
import { CUT_MARKER } from './cap.ts';
import { needlesOf, type Needle } from './needles.ts';
import type { Secret } from './secrets.ts';

/** Replaces known secrets, in every form that is looked for, by `[redacted:NAME]`. */
export type Redactor = {
  text(text: string): string;
  /**
   * The same event with every text in it redacted, keys of objects included. Texts that say they
   * were cut lose the halves of secrets beside their cuts too. An event without secrets is
   * returned as it is.
   */
  event<T>(event: T): T;
  /** Redacts the beginning of a growing text: what may yet become a secret is held back. */
  partial(text: string): { redacted: string; held: string };
};

/**
 * A text that ends in this much of a secret's beginning was probably cut by a tool. Shorter
 * beginnings are shared by too many innocent words: `https://`, `sk-ant-`.
 */
const SUSPICIOUS_CHARS = 12;
/** Where a text is known to be cut, this much of a secret is not chance. */
const BESIDE_CUT_CHARS = 4;

/** Compiles the secrets once; the redactor keeps them in memory and nowhere else. */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  const needles = needlesOf(secrets);
  const automaton = automatonOf(needles);
  const whole = (text: string): string => redact(automaton, text, SUSPICIOUS_CHARS);
  const cut = (text: string): string =>
    splitAtCuts(text)
      .map((part, index) =>
        index % 2 ? part : redactBesideCut(automaton, needles, part, index > 0),
      )
      .join('');
  return {
    text: whole,
    event: (event) => redactNode(event, whole, cut) as typeof event,
    partial: (text) => {
      const { ranges, openFrom } = automaton.scan(text);
      const end = settledEnd(ranges, openFrom);
      const settled = ranges.filter((range) => range.end <= end);
      return { redacted: replaceRanges(text.slice(0, end), settled), held: text.slice(end) };
    },
  };
}

function redact(automaton: Automaton, text: string, suspicious: number): string {
  if (text.length < BESIDE_CUT_CHARS) return text;
  const { ranges, openFrom, openName } = automaton.scan(text);
  const open = openName !== null && text.length - openFrom >= suspicious;
  if (!open) return ranges.length === 0 ? text : replaceRanges(text, ranges);
  const end = settledEnd(ranges, openFrom);
  const kept = ranges.filter((range) => range.end <= end);
  return replaceRanges(text, [...kept, { start: end, end: text.length, name: openName }]);
}

/** The last place before which nothing can change any more, whatever follows the text. */
function settledEnd(ranges: readonly Range[], openFrom: number): number {
  return (
    ranges.findLast((range) => range.start < openFrom && range.end > openFrom)?.start ?? openFrom
  );
}

function replaceRanges(text: string, ranges: readonly Range[]): string {
  let result = '';
  let from = 0;
  for (const { start, end, name } of ranges) {
    result += `${text.slice(from, start)}[redacted:${name}]`;
    from = end;
  }
  return result + text.slice(from);
}

/** Pieces and cut markers in turn, beginning and ending with a piece. */
function splitAtCuts(text: string): string[] {
  return text.split(new RegExp(`(${CUT_MARKER.source})`));
}

function redactBesideCut(
  automaton: Automaton,
  needles: readonly Needle[],
  part: string,
  cutBefore: boolean,
): string {
  const half = cutBefore ? endOfNeedleAtStart(needles, part) : null;
  if (half === null) return redact(automaton, part, BESIDE_CUT_CHARS);
  return `[redacted:${half.name}]${redact(automaton, part.slice(half.length), BESIDE_CUT_CHARS)}`;
}

/** The longest beginning of a text that is the end of a needle. */
function endOfNeedleAtStart(
  needles: readonly Needle[],
  text: string,
): { length: number; name: string } | null {
  const start = text.slice(0, BESIDE_CUT_CHARS);
  if (start.length < BESIDE_CUT_CHARS) return null;
  let longest: { length: number; name: string } | null = null;
  for (const { text: needle, name } of needles) {
    for (let at = needle.indexOf(start); at >= 0; at = needle.indexOf(start, at + 1)) {
      const length = needle.length - at;
      if (length > (longest?.length ?? 0) && text.startsWith(needle.slice(at)))
        longest = { length, name };
    }
  }
  return longest;
}

function redactNode(
  node: unknown,
  whole: (text: string) => string,
  cut: (text: string) => string,
): unknown {
  if (typeof node === 'string') return whole(node);
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) {
    const items = node.map((item) => redactNode(item, whole, cut));
    return items.every((item, index) => item === node[index]) ? node : items;
  }
  let changed = false;
  const wasCut = 'truncated' in node && node.truncated !== null;
  const entries = Object.entries(node).map(([key, value]): [string, unknown] => {
    const entry: [string, unknown] = [
      whole(key),
      wasCut && key === 'text' && typeof value === 'string'
        ? cut(value)
        : redactNode(value, whole, cut),
    ];
    changed ||= entry[0] !== key || entry[1] !== value;
    return entry;
  });
  return changed ? Object.fromEntries(entries) : node;
}
