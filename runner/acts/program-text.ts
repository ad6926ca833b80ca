import { createRequire } from 'node:module';
import type * as AstGrep from '@ast-grep/napi';
import type { SgNode } from '@ast-grep/napi';
import { LITERALS, type Literals, Names } from './literals.ts';
import type { Reading } from './reading.ts';
import type { Argument } from './types.ts';

/**
 * A command that program text starts: its words, or a line for a shell. `unseen`: it starts
 * something, and what that is comes to more than is read.
 */
export type Started = { kind: 'unseen' } | Seen;
type Seen = {
  kind: 'words' | 'shell';
  words: readonly Argument[];
  /** It stands where nobody can know whether it ever runs. */
  doubtful: boolean;
  /** A program that ends well has run it, and it ended well. */
  proven: boolean;
};

export type Language = 'python' | 'javascript';

/** Program text without one of these starts nothing, and is not parsed. */
export const HINTS: Readonly<Record<Language, RegExp>> = {
  python: /\b(?:subprocess|system|popen|spawn\w*|exec[lv]\w*|create_subprocess_\w+|getoutput)\b/,
  javascript: /child_process|\bexeca|\b(?:spawn|exec|execFile)(?:Sync)?\b|\$`/,
};

/** Functions that are given a line for a shell, and those that are given words. */
const SHELLS =
  /^(?:system|popen|getoutput|getstatusoutput|create_subprocess_shell|exec|execSync|execaCommand|execaCommandSync)$/;
const WORDS =
  /^(?:run|call|check_call|check_output|Popen|create_subprocess_exec|exec[lv]p?e?|spawn[lv]p?e?|execFile|execFileSync|spawn|spawnSync|execa|execaSync)$/;
/** Names that other things have too: only of a module that starts commands, or on their own. */
export const COMMON = /^(?:run|call|exec|system)$/;
export const MODULES = /\b(?:subprocess|os|asyncio|child_process|childProcess|cp|sp|Bun)\b/;
export const IMPORTED = /\bfrom\s+(?:subprocess|os)\s+import\b|\bchild_process\b/;
const IMPORTS = /\bimport\s+(?:subprocess|os)\b|\bfrom\s+(?:subprocess|os)\b|\bchild_process\b/;
/** Functions that throw where the command fails, and what stands around one that may not run. */
const CHECKED = /^(?:check_call|check_output|execSync|execFileSync)$/;
const BRANCHES =
  /if|for|while|try|with|match|switch|conditional|ternary|boolean|logical|lambda|function|arrow|class/;
/** Where the command begins: `os.spawnl` is given a mode first, both a path beside its name. */
const OFFSET: Readonly<Record<string, number>> = { execl: 1, execlp: 1, spawnl: 2, spawnlp: 2 };

/** Bounds of what a session can make a runner do: longer text is not seen. */
const MAX_TEXT = 64 * 1024;
const MAX_CALLEE = 200;
const MAX_CALLS = 200;
const MAX_WORDS = 200;
/** What a character costs to parse, and what a node costs to look at. */
const PARSE_UNITS = 16;
const NODE_UNITS = 100;

/**
 * The commands that program text says it starts, in the order in which they stand there. Seen are
 * calls of the usual functions with literal words; what is put together at run time is not.
 * Whether a function is ever called is not known: what stands in one is doubtful. Null: the text
 * starts something, and this machine has no parser for it.
 */
export function findStarted(
  language: Language,
  text: string,
  reading: Reading,
  load: () => Parser | null = loadParser,
): Started[] | null {
  // Of a word that was cut there is no saying what it hints at.
  if (text.length >= MAX_TEXT) return null;
  if (!HINTS[language].test(text)) return [];
  const parser = reading.rest(load);
  if (!parser) return null;
  reading.spend(PARSE_UNITS * text.length);
  const root = parser.parse(language === 'python' ? 'python' : 'TypeScript', text).root();
  const literals = LITERALS[language];
  const names = new Names(root, literals, reading);
  const found: Started[] = [];
  for (const call of root.findAll({ rule: { any: literals.calls.map((kind) => ({ kind })) } })) {
    const started = startedBy(call, literals, names, text, reading);
    if (names.cut || found.length >= MAX_CALLS) return [...found, { kind: 'unseen' }];
    if (started) found.push(started);
  }
  return found;
}

function startedBy(
  call: SgNode,
  literals: Literals,
  names: Names,
  text: string,
  reading: Reading,
): Seen | null {
  reading.spend(NODE_UNITS);
  const callee = call.field('function');
  const given = call.field('arguments');
  if (!callee || !given) return null;
  if (given.is('template_string')) {
    if (!/^\$(?:\.|$)/.test(nameOf(callee))) return null;
    return {
      kind: 'shell',
      words: [literals.read(given, names)],
      ...standing(call, literals, false, reading),
    };
  }
  const [, receiver = '', name = ''] = /^(?:(.*)\.)?\s*(\w+)$/s.exec(nameOf(callee)) ?? [];
  if (!SHELLS.test(name) && !WORDS.test(name)) return null;
  // A module that stands far in front of its function may be any that the program has.
  const far = sizeOf(callee) > MAX_CALLEE && IMPORTS.test(text);
  const from = far || (receiver === '' ? IMPORTED.test(text) : MODULES.test(receiver));
  if (COMMON.test(name) && !from) return null;
  const args = given.namedChildren().slice(0, MAX_WORDS);
  const inShell = says(args, /\bshell\s*[=:]\s*(?:True|true|["'])/);
  const words = args
    .slice(OFFSET[name] ?? 0)
    .filter((arg) => !literals.options.test(String(arg.kind())))
    .flatMap((arg) => literals.words(arg, names))
    .slice(0, MAX_WORDS);
  if (words.length === 0) return null;
  const checked = CHECKED.test(name) || says(args, /\bcheck\s*=\s*True\b/);
  const where = standing(call, literals, checked, reading);
  if (SHELLS.test(name)) return { kind: 'shell', words: words.slice(0, 1), ...where };
  if (inShell) return { kind: 'shell', words: [joinWords(words)], ...where };
  // A vector of words begins with the program’s own name, which stands before it too.
  const own = /^(?:exec|spawn)vp?e?$/.test(name) ? words.slice(1) : words;
  return { kind: 'words', words: own, ...where };
}

/** What is called, as it is written; of a long one its last name, which is what it is known by. */
function nameOf(callee: SgNode): string {
  if (sizeOf(callee) <= MAX_CALLEE) return callee.text();
  const last = callee.field('property') ?? callee.field('attribute');
  return last && sizeOf(last) <= MAX_CALLEE ? `….${last.text()}` : '';
}

const sizeOf = (node: SgNode): number => {
  const { start, end } = node.range();
  return end.index - start.index;
};

/** Whether an option says so; longer ones than that are no options. */
const says = (args: readonly SgNode[], option: RegExp): boolean =>
  args.some((arg) => sizeOf(arg) < 1_000 && option.test(arg.text()));

function standing(
  call: SgNode,
  { functions }: Literals,
  checked: boolean,
  reading: Reading,
): Pick<Seen, 'doubtful' | 'proven'> {
  const above = call.ancestors();
  reading.spend(NODE_UNITS * above.length);
  const around = above.map((node) => String(node.kind()));
  return {
    doubtful: around.some((kind) => functions.test(kind)),
    proven: checked && !around.some((kind) => BRANCHES.test(kind)),
  };
}

const joinWords = (words: readonly Argument[]): Argument => ({
  text: words.map(({ text }) => text).join(' '),
  certain: words.every(({ certain }) => certain),
});

type Parser = Pick<typeof AstGrep, 'parse'>;
/** Undefined: nobody has asked for it yet. */
let loadedParser: Parser | null | undefined;

/** The parser is loaded when there is something to parse: most sessions never need it. */
function loadParser(): Parser | null {
  if (loadedParser === undefined) loadedParser = loadNative();
  return loadedParser;
}

/** Null where no build of it is for this machine: a runner works without, and sees less. */
export function loadNative(
  require: (name: string) => unknown = createRequire(import.meta.url),
): Parser | null {
  try {
    const loaded = require('@ast-grep/napi') as typeof AstGrep;
    const python = require('@ast-grep/lang-python') as Parameters<
      typeof loaded.registerDynamicLanguage
    >[0][string];
    loaded.registerDynamicLanguage({ python });
    return loaded;
  } catch {
    return null;
  }
}
