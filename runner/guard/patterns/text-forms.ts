import { ASCII } from './expression.ts';
import { explore, type Node, type Table } from './explore.ts';

/** A way to write characters in which no character's form is the beginning of another's. */
type Code = { [char: string]: Code } | readonly number[];

const every = Array.from({ length: ASCII }, (_, code) => code);
const isRead = (code: Code): code is readonly number[] => Array.isArray(code);

/** Each form with the characters that it stands for. */
function codeOf(forms: Iterable<readonly [form: string, code: number]>): Code {
  const root: { [char: string]: Code } = {};
  for (const [form, code] of forms) {
    let at = root;
    for (const char of form.slice(0, -1)) at = (at[char] ??= {}) as typeof root;
    const last = form.at(-1) ?? '';
    at[last] = [...((at[last] as readonly number[] | undefined) ?? []), code];
  }
  return root;
}

const plainly = (except: string): (readonly [string, number])[] =>
  every.flatMap((code) => {
    const char = String.fromCharCode(code);
    return except.includes(char) ? [] : [[char, code] as const];
  });

/** In addresses and forms every character may be encoded, and a space may be a plus. */
const ADDRESS = codeOf([
  ...plainly('%'),
  [`+`, 0x20],
  ...every.flatMap((code) => {
    const hex = code.toString(16).padStart(2, '0');
    return [...new Set([hex, hex.toUpperCase()])].map((each) => [`%${each}`, code] as const);
  }),
]);

/** Marks that JSON escapes, and the slash, which some encoders do. */
const ESCAPES: readonly (readonly [char: string, form: string])[] = [
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['/', '\\/'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
];
const ESCAPED = codeOf([
  ...plainly('"\\\n\r\t'),
  ...ESCAPES.map(([char, form]) => [form, char.charCodeAt(0)] as const),
]);
const ESCAPED_TWICE = codeOf([
  ...plainly('"\\\n\r\t'),
  ...ESCAPES.map(([char, form]) => [twice(form), char.charCodeAt(0)] as const),
]);

function twice(form: string): string {
  return form.replaceAll(/[\\"]/g, '\\$&');
}

const ESCAPED_CODES: ReadonlySet<number> = new Set(ESCAPES.map(([char]) => char.charCodeAt(0)));
const PERCENT = '%'.charCodeAt(0);

/** The most characters of text that one of these takes: encoded, or escaped twice. */
export const longestForm = (codes: readonly number[]): number =>
  codes.some((code) => ESCAPED_CODES.has(code)) ? 4 : 3;

/**
 * Tables of what `bytes` matches as it stands in text: as written, encoded for addresses, and
 * escaped for JSON once and twice. One that finds no more than another is left out.
 */
export function tablesOfText(bytes: Table): Table[] {
  const reads = (code: number): boolean => bytes.classOf[code] !== 0;
  const tables = [encoded(bytes, ADDRESS)];
  const escapes = every.some((code) => ESCAPED_CODES.has(code) && reads(code));
  if (escapes) tables.push(encoded(bytes, ESCAPED), encoded(bytes, ESCAPED_TWICE));
  // What is encoded for addresses holds no percent sign of its own; all else may stand as it is.
  return reads(PERCENT) ? [bytes, ...tables] : tables;
}

function encoded(bytes: Table, whole: Code): Table {
  const step = (states: readonly number[], codes: readonly number[]): number[] => {
    const to = states.flatMap((state) =>
      codes.map(
        (code) => bytes.next[state * bytes.classes + (bytes.classOf[code] as number)] as number,
      ),
    );
    return [...new Set(to)].filter((state) => state !== 0).toSorted((a, b) => a - b);
  };
  const leads = (states: readonly number[], code: Code): boolean =>
    isRead(code)
      ? step(states, code).length > 0
      : Object.values(code).some((next) => leads(states, next));
  const nodeOf = (states: readonly number[], begun: string, code: Code): Node => ({
    key: `${begun}/${states.join()}`,
    accepts: begun === '' && states.some((state) => bytes.accepts[state] === 1),
    edges: () =>
      new Map(
        Object.entries(code)
          .filter(([, next]) => leads(states, next))
          .map(([char, next]) => [
            char.charCodeAt(0),
            isRead(next)
              ? nodeOf(step(states, next), '', whole)
              : nodeOf(states, begun + char, next),
          ]),
      ),
  });
  return explore(bytes.starts.map((state) => nodeOf([state], '', whole)));
}
