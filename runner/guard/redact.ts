import { CUT_MARKER } from './cap.ts';
import type { Range } from './automaton.ts';
import { SecretFinder } from './find-secrets.ts';
import type { Secret } from './secrets.ts';

/** A growing text of which a part is not shown yet. */
export type Kept = {
  /** The last characters of it. */
  text: string;
  /** So many of them were shown already, and are kept only for what they may belong to. */
  shown: number;
};

/** Replaces secrets, in every form that is looked for, by `[redacted:NAME]`. */
export type Redactor = {
  text(text: string): string;
  /**
   * The same event with every text in it redacted, keys of objects included. Texts that say they
   * were cut lose the halves of secrets beside their cuts too. An event without secrets is
   * returned as it is.
   */
  event<T>(event: T): T;
  /**
   * Redacts the beginning of a growing text: what may yet become a secret is held back, which is
   * never more than twice the longest form of any secret.
   */
  partial(growing: Kept): { redacted: string; kept: Kept };
  /** Redacts what was kept of a text that grows no more. */
  rest(kept: Kept): string;
};

/** Compiles the secrets once; the redactor keeps them in memory and nowhere else. */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  const finder = new SecretFinder(secrets);
  const whole = (text: string): string => redact(finder, { text, shown: 0 }, false);
  const cut = (text: string): string =>
    splitAtCuts(text)
      .map((part, index) => (index % 2 ? part : redactBesideCut(finder, part, index > 0)))
      .join('');
  return {
    text: whole,
    event: (event) => redactNode(event, whole, cut) as typeof event,
    partial: (growing) => redactPartly(finder, growing),
    rest: (kept) => redact(finder, kept, false),
  };
}

function redact(finder: SecretFinder, { text, shown }: Kept, besideCut: boolean): string {
  const { ranges, suspect } = finder.find(text, besideCut);
  if (!suspect) return replaceRanges(text, ranges, shown, text.length);
  const end = settledEnd(ranges, suspect.from);
  const kept = ranges.filter((range) => range.end <= end);
  const rest = { start: end, end: text.length, name: suspect.name };
  return replaceRanges(text, [...kept, rest], shown, text.length);
}

function redactPartly(finder: SecretFinder, { text, shown }: Kept) {
  const { ranges, openFrom } = finder.find(text);
  const settled = settledEnd(ranges, openFrom);
  // Secrets that overlap without end would be held back without end: they are shown as one that
  // goes on, and what stands before is kept to know for how long.
  const endless = text.length - settled > 2 * finder.longest;
  const end = endless ? openFrom : Math.max(settled, shown);
  const from = endless || settled < shown ? Math.max(0, end - finder.longest) : end;
  return {
    redacted: replaceRanges(text, ranges, shown, end),
    kept: { text: text.slice(from), shown: end - from },
  };
}

/** The last place before which nothing can change any more, whatever follows the text. */
function settledEnd(ranges: readonly Range[], openFrom: number): number {
  return (
    ranges.findLast((range) => range.start < openFrom && range.end > openFrom)?.start ?? openFrom
  );
}

/** The text between two places. A range that began before them has been named already. */
function replaceRanges(
  text: string,
  ranges: readonly Range[],
  begin: number,
  finish: number,
): string {
  if (ranges.length === 0) return text.slice(begin, finish);
  let result = '';
  let from = begin;
  for (const { start, end, name } of ranges) {
    if (end <= begin || start >= finish) continue;
    if (start >= begin) result += `${text.slice(from, start)}[redacted:${name}]`;
    from = Math.min(end, finish);
  }
  return result + text.slice(from, finish);
}

/** Pieces and cut markers in turn, beginning and ending with a piece. */
function splitAtCuts(text: string): string[] {
  return text.split(new RegExp(`(${CUT_MARKER.source})`));
}

function redactBesideCut(finder: SecretFinder, part: string, cutBefore: boolean): string {
  const half = cutBefore ? finder.endAtStart(part) : null;
  const text = part.slice(half?.length ?? 0);
  const redacted = redact(finder, { text, shown: 0 }, true);
  return half === null ? redacted : `[redacted:${half.name}]${redacted}`;
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
