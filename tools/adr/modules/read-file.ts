import { messageOf } from '../failure.ts';
import { type Language, languageOf } from './languages.ts';
import { parseGo } from './parse-go.ts';
import { parseJs } from './parse-js.ts';
import { parsePython } from './parse-python.ts';
import type { JsResolver } from './resolve-js.ts';
import type { Source } from './source.ts';
import type { FileEdges, ParsedModule } from './types.ts';

function parse(
  language: Language,
  { name, text, keepComments }: Source,
  wantsComments: boolean,
): ParsedModule {
  switch (language) {
    case 'js':
    case 'ts':
      return parseJs(name, text(), wantsComments ? keepComments : undefined);
    case 'python':
      return parsePython(text());
    case 'go':
      return parseGo(text());
    default:
      return language satisfies never;
  }
}

/**
 * Parses one file. Mentions in JavaScript and TypeScript are resolved here; those of other
 * languages need the list of all files and are resolved by whoever has it. `wantsComments` says that
 * somebody will ask for the comments, which are at hand while it is parsed.
 */
export function readFileEdges(
  source: Source,
  resolveJs: JsResolver,
  wantsComments: boolean,
): FileEdges {
  const { path, name } = source;
  const language = languageOf(name);
  if (!language) return { path, edges: [], faults: [{ line: 1, message: 'no parser reads it' }] };
  let parsed: ParsedModule;
  try {
    parsed = parse(language, source, wantsComments);
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
