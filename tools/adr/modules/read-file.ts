import { join } from 'node:path';
import { messageOf } from '../failure.ts';
import { readUtf8 } from '../tree/read-utf8.ts';
import { type Language, languageOf } from './languages.ts';
import { parseGo } from './parse-go.ts';
import { parseJs } from './parse-js.ts';
import { parsePython } from './parse-python.ts';
import type { createJsResolver } from './resolve-js.ts';
import { codeName } from './scripts.ts';
import type { FileEdges, ParsedModule } from './types.ts';

function parse(language: Language, path: string, text: string): ParsedModule {
  switch (language) {
    case 'js':
    case 'ts':
      return parseJs(path, text);
    case 'python':
      return parsePython(text);
    case 'go':
      return parseGo(text);
    default:
      return language satisfies never;
  }
}

/**
 * Reads and parses one file. Mentions in JavaScript and TypeScript are resolved here; those of
 * other languages need the list of all files and are resolved by whoever has it.
 */
export function readFileEdges(
  root: string,
  path: string,
  resolveJs: ReturnType<typeof createJsResolver>,
): FileEdges {
  const name = codeName(root, path);
  const language = languageOf(name);
  if (!language) return { path, edges: [], faults: [{ line: 1, message: 'no parser reads it' }] };
  let parsed: ParsedModule;
  try {
    parsed = parse(language, name, readUtf8(join(root, path)));
  } catch (error) {
    return { path, edges: [], faults: [{ line: 1, message: messageOf(error) }] };
  }
  const javascript = language === 'js' || language === 'ts';
  const edges = parsed.refs.map((ref) => {
    const resolved =
      ref.specifier !== null && javascript && ref.meaning !== 'pattern'
        ? resolveJs(path, ref.specifier, ref.meaning === 'from-process')
        : { targets: [], packageName: null, known: true };
    return { ...ref, from: path, ...resolved };
  });
  return { path, edges, faults: parsed.faults };
}
