import {
  type ParseResult,
  type ParserOptions,
  parseSync,
  type Program,
  rawTransferSupported,
} from 'oxc-parser';
import type { ImportKind } from '../rules/schema.ts';
import { findCalls } from './js-calls.ts';
import { docImports } from './js-doc.ts';
import { LOADER_WORDS } from './js-loaders.ts';
import { positionsOf } from './positions.ts';
import type { ModuleRef, ParsedModule, Span } from './types.ts';

/**
 * Words without which a file has no mention of a module beyond what the parser lists by itself.
 * Building the whole tree in JavaScript costs several times the parsing, so it is built for these
 * files alone. An escaped letter could hide a word, so a backslash before `u` counts as one.
 */
const NEEDS_TREE =
  /\brequire\b|\bcreateRequire\b|\bimport\s*(?:\/[*/]|[(.])|\bimport\s+(?:type\s+)?[\w$]+\s*=|\bdeclare\s+(?:\/[*/]|module\b)|\bexport\s*(?:type\s*)?(?:\/[*/]|\{\s*(?:\}|\/[*/]))|\\u/;

/** `/// <reference path="…" />` of TypeScript, or a path as `types`, before the first statement. */
const HEAD = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/;
const REFERENCE = /^[ \t]*\/\/\/\s*<reference\s+(path|types)\s*=\s*(["'])(.+?)\2/gm;
/** A documentation comment that may hold an import; types in comments mean something in JavaScript alone. */
const DOCUMENTED = /\/\*\*[\s\S]*?(?:\bimport\s*\(|@import\b)/;
const JAVASCRIPT = /\.[cm]?jsx?$/;

/**
 * Whether the parser leaves its result where it is and lets it be read piece by piece. Handing over
 * the whole tree is six times the work of parsing; the option is not in the parser's types, and
 * needs Node 22 on a 64-bit machine, so every file can be read without it too.
 */
let lazy = rawTransferSupported();
type Parsed = Pick<ParseResult, 'errors' | 'module' | 'comments'> & { dispose?(): void };

function parseLightly(path: string, text: string): Parsed {
  if (!lazy) return parseSync(path, text);
  try {
    return parseSync(path, text, { experimentalLazy: true } as ParserOptions);
  } catch {
    // The memory that it wants could not be had (a limit of a container): the plain way needs less.
    lazy = false;
    return parseSync(path, text);
  }
}

/**
 * Every mention of a module in a JavaScript or TypeScript file: static imports, re-exports, dynamic
 * imports, `require` in its forms, `import.meta.resolve`, workers, forks, and types by import.
 * `keepComments` is given where the comments are.
 */
export function parseJs(
  path: string,
  text: string,
  keepComments?: (comments: Span[]) => void,
): ParsedModule {
  const whole = NEEDS_TREE.test(text) || LOADER_WORDS.test(text);
  const parsed: Parsed & { program?: Program } = whole
    ? parseSync(path, text)
    : parseLightly(path, text);
  const at = positionsOf(text);
  const refs: ModuleRef[] = [];
  const add: Add = (kind, specifier, offset) => {
    refs.push({ kind, specifier, ...at(offset) });
  };
  try {
    const faults = parsed.errors.map((error) => ({
      line: at(error.labels[0]?.start ?? 0).line,
      message: error.message,
    }));
    if (faults.length > 0) return { refs: [], faults };
    addListed(parsed, add);
    keepComments?.(spansOf(parsed.comments));
    if (JAVASCRIPT.test(path) && DOCUMENTED.test(text)) {
      for (const { start, end } of parsed.comments) {
        for (const { specifier, at: inside } of docImports(text.slice(start, end)))
          add('type-only', specifier, start + inside);
      }
    }
  } finally {
    parsed.dispose?.();
  }
  if (text.includes('<reference')) {
    for (const { 1: by, 3: file = '', index } of (HEAD.exec(text)?.[0] ?? '').matchAll(REFERENCE)) {
      const isPath = /^[./]/.test(file);
      // A bare name in `types` is a package of declarations, which the compiler finds by itself.
      if (isPath || by === 'path') add('type-only', isPath ? file : `./${file}`, index);
    }
  }
  if (whole && parsed.program) {
    for (const { start, ...call } of findCalls(parsed.program))
      refs.push({ ...call, ...at(start) });
  }
  return { refs, faults: [] };
}

const spansOf = (comments: Parsed['comments']): Span[] =>
  comments.map(({ start, end }) => ({ start, end }));

/** Where the comments of a script are, in its order; null when it does not parse. */
export function readComments(path: string, text: string): Span[] | null {
  const parsed = parseLightly(path, text);
  try {
    return parsed.errors.length > 0 ? null : spansOf(parsed.comments);
  } finally {
    parsed.dispose?.();
  }
}

type Add = (kind: ImportKind, specifier: string | null, offset: number) => void;

/**
 * What the parser lists by itself. Dynamic imports are left to the tree, which knows constants, and
 * so are exports without a name (`export {} from 'a'`), which are in no list.
 */
function addListed(parsed: Parsed, add: Add): void {
  for (const item of parsed.module.staticImports) {
    const typeOnly = item.entries.length > 0 && item.entries.every((entry) => entry.isType);
    add(typeOnly ? 'type-only' : 'static', item.moduleRequest.value, item.start);
  }
  for (const item of parsed.module.staticExports) {
    const requests = item.entries.filter((entry) => entry.moduleRequest);
    const first = requests[0]?.moduleRequest;
    if (!first) continue;
    const typeOnly = requests.every((entry) => entry.isType);
    add(typeOnly ? 'type-only' : 're-export', first.value, item.start);
  }
}
