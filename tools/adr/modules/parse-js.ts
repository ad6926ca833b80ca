import { parseSync, type ParseResult } from 'oxc-parser';
import type { ImportKind } from '../rules/schema.ts';
import { findCalls } from './js-calls.ts';
import { positionsOf } from './positions.ts';
import type { ModuleRef, ParsedModule } from './types.ts';

/**
 * Words without which a file has no mention of a module beyond what the parser lists by itself.
 * Building the whole tree in JavaScript costs several times the parsing, so it is built for these
 * files alone. An escaped letter could hide a word, so a backslash before `u` counts as one.
 */
const NEEDS_TREE = /\brequire\b|\bimport\s*(?:\/[*/]|[(.])|\bimport\s+(?:type\s+)?[\w$]+\s*=|\\u/;

/**
 * Every mention of a module in a JavaScript or TypeScript file: static imports, re-exports, dynamic
 * imports, `require` in its forms, `import.meta.resolve`, workers by URL, and types by import.
 */
export function parseJs(path: string, text: string): ParsedModule {
  const parsed = parseSync(path, text);
  const at = positionsOf(text);
  if (parsed.errors.length > 0) {
    return {
      refs: [],
      faults: parsed.errors.map((error) => ({
        line: at(error.labels[0]?.start ?? 0).line,
        message: error.message,
      })),
    };
  }
  const refs: ModuleRef[] = [];
  const add = (kind: ImportKind, specifier: string | null, offset: number): void => {
    refs.push({ kind, specifier, ...at(offset) });
  };
  addListed(parsed, add);
  if (NEEDS_TREE.test(text)) {
    for (const call of findCalls(parsed.program)) add(call.kind, call.specifier, call.start);
  }
  return { refs, faults: [] };
}

type Add = (kind: ImportKind, specifier: string | null, offset: number) => void;

/** What the parser lists by itself. Dynamic imports are left to the tree, which knows constants. */
function addListed(parsed: ParseResult, add: Add): void {
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
