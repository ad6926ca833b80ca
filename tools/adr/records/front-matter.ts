import { type Document, LineCounter, isMap, parseDocument } from 'yaml';
import { messageOf } from '../failure.ts';

/**
 * A record's text in its parts. `yaml` is exactly what stands between the fences, `body` exactly
 * what follows: put together again they are the file, byte by byte.
 */
export type SplitRecord = {
  opening: string;
  yaml: string;
  closing: string;
  body: string;
  /** The line on which the body begins, from 1. */
  bodyLine: number;
};

const FRONT_MATTER = /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)(^---[ \t]*(?:\r?\n|$))/m;

/** A fence and a first key after it, in a text that no second fence was found in. */
const UNCLOSED = /^\uFEFF?---[ \t]*\r?\n\s*[\w-]+:/;

/** Splits a record's text. Without front matter the first three parts are empty. */
export function splitFrontMatter(text: string): SplitRecord {
  const match = FRONT_MATTER.exec(text);
  if (!match || match.index !== 0) {
    return { opening: '', yaml: '', closing: '', body: text, bodyLine: 1 };
  }
  const [whole, opening = '', yaml = '', closing = ''] = match;
  return {
    opening,
    yaml,
    closing,
    body: text.slice(whole.length),
    bodyLine: whole.split('\n').length,
  };
}

export type FrontMatter = {
  document: Document;
  value: Record<string, unknown>;
  /** The line in the file of a place in the value, from 1; the nearest that is known. */
  lineOf(path: readonly PropertyKey[]): number;
  errors: { message: string; line: number }[];
};

/** Reads the front matter of a split record. Faults of the YAML are returned, not thrown. */
export function parseFrontMatter(split: SplitRecord): FrontMatter {
  const lines = new LineCounter();
  const document: Document = parseDocument(split.yaml, { lineCounter: lines, prettyErrors: false });
  // A bracket that is never closed is a fault at every line after it: the first one is told.
  const errors = document.errors.slice(0, 1).map((error) => ({
    message: error.message,
    line: lines.linePos(error.pos[0]).line + 1,
  }));
  if (split.opening === '' && UNCLOSED.test(split.body)) {
    errors.push({ message: 'it begins with `---` and no line `---` ends it', line: 1 });
  }
  let plain: unknown = null;
  try {
    if (errors.length === 0) plain = document.toJS();
  } catch (error) {
    // An alias of what is not there, or aliases that would fill the memory.
    errors.push({ message: messageOf(error), line: 2 });
  }
  if (errors.length === 0 && plain !== null && !isMap(document.contents)) {
    errors.push({ message: 'front matter is a list of `key: value` lines', line: 2 });
  }
  const lineOf = (path: readonly PropertyKey[]): number => {
    for (let length = path.length; length > 0; length--) {
      const node: unknown = document.getIn(path.slice(0, length), true);
      const range = typeof node === 'object' && node && 'range' in node ? node.range : null;
      if (Array.isArray(range)) return lines.linePos(Number(range[0])).line + 1;
    }
    return 1;
  };
  const value = errors.length === 0 && typeof plain === 'object' && plain !== null ? plain : {};
  return { document, value: value as Record<string, unknown>, lineOf, errors };
}
