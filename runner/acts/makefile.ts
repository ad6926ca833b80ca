import { parseOptions } from './arguments.ts';
import { type Reading, TooMuch } from './reading.ts';
import type { Task } from './tasks.ts';
import { type Argument, certain } from './types.ts';

/** `-sC DIR` is `-s -C DIR`. */
const apart = (arg: Argument): Argument[] => {
  const [, flags, last] = /^-([a-zA-Z]+)([Cf])$/.exec(arg.text) ?? [];
  return flags ? [certain(`-${flags}`), certain(`-${last}`)] : [arg];
};

/** `make X`: the recipes of targets that are written out. */
export function makeTask(args: readonly Argument[]): Task | null {
  const options = parseOptions(args.flatMap(apart), [
    '-C',
    '--directory',
    '-f',
    '--file',
    '--makefile',
    '-j',
    '-o',
    '-W',
    '-I',
  ]);
  if (
    ['-n', '--dry-run', '--just-print', '--help', '-h', '-q', '-p'].some((name) =>
      options.flags.has(name),
    )
  )
    return null;
  const { values, operands } = options;
  const file = values.get('-f') ?? values.get('--file') ?? values.get('--makefile');
  const goals = operands.map(({ text }) => text);
  const given = goals.filter((goal) => goal.includes('='));
  return {
    directory: certain(values.get('-C') ?? values.get('--directory') ?? '.'),
    files: file === undefined ? ['GNUmakefile', 'makefile', 'Makefile'] : [file],
    find: (text, reading, open) =>
      recipesOf(
        new Makefile(text, reading, open),
        goals.filter((goal) => !goal.includes('=')),
        given,
        reading,
      ),
  };
}

/** `-include` and `sinclude` go on where a file is not there, as we do. */
const INCLUDE = /^ *(?:-include|sinclude|include)[ \t]+/;
const VARIABLE = /^(?:(?:export|override)\s+)?([\w.-]+)\s*[:?]?:{0,2}=/;
/** More targets of one file, and longer values and lines of it, than anybody writes. */
const MAX_TARGETS = 2_000;
const MAX_VALUE = 16_000;
const MAX_RECIPE_LINE = 32_000;
const MAX_SCRIPT = 128 * 1024;
/** Deeper files in files than anybody writes. */
const MAX_INCLUDED = 8;
/** What it costs to come to a prerequisite. */
const VISIT_UNITS = 32;
/** What it costs to look at a line, however short. */
const LINE_UNITS = 16;

/** What names stand for; null is more than is read. */
type Variables = Map<string, string | null>;
type ReadonlyVariables = ReadonlyMap<string, string | null>;

/** What stands under one line of targets; each of them has it, and none a copy of its own. */
type Block = { needs: readonly string[]; recipe: string[] };

/** The recipes that goals come to, their prerequisites first. Without a goal the first target is it. */
function recipesOf(
  { rules, variables }: Makefile,
  goals: readonly string[],
  given: readonly string[],
  reading: Reading,
): string | null {
  for (const each of given) variables.set(each.split('=')[0] ?? '', each.replace(/^[^=]*=/, ''));
  const lines = ['set -e'];
  let chars = 0;
  const seen = new Set<string>();
  const visit = (target: string): void => {
    reading.spend(VISIT_UNITS);
    const blocks = rules.get(target);
    if (!blocks || seen.has(target)) return;
    seen.add(target);
    if (seen.size > MAX_TARGETS) throw new TooMuch();
    for (const { needs } of blocks) needs.forEach(visit);
    for (const { recipe } of blocks)
      for (const line of recipe) {
        const shown = recipeLine(line, target, variables);
        chars += shown.length + 1;
        if (chars > MAX_SCRIPT) throw new TooMuch();
        lines.push(shown);
      }
  };
  const usual = [...rules.keys()].find((name) => !name.startsWith('.'));
  for (const goal of goals.length > 0 ? goals : usual === undefined ? [] : [usual]) visit(goal);
  return lines.length > 1 ? lines.join('\n') : null;
}

/** What a file for make sets and what it has recipes for, with the files that it takes in. */
class Makefile {
  readonly rules = new Map<string, Block[]>();
  readonly variables: Variables = new Map();
  readonly #reading: Reading;
  readonly #open: (path: string) => string | null;
  /** What is under the last line of targets. */
  #block: Block | null = null;

  constructor(text: string, reading: Reading, open: (path: string) => string | null) {
    this.#reading = reading;
    this.#open = open;
    this.#read(text, []);
  }

  #read(text: string, within: readonly string[]): void {
    for (const line of text.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/)) {
      this.#reading.spend(LINE_UNITS + line.length);
      if (line.startsWith('\t')) this.#block?.recipe.push(line.slice(1));
      else if (!this.#include(line, within)) this.#line(line);
    }
  }

  /** `include A B`: their lines stand in its place. Names that are worked out are not seen. */
  #include(line: string, within: readonly string[]): boolean {
    const [head] = INCLUDE.exec(line) ?? [];
    if (head === undefined) return false;
    this.#reading.spend(VISIT_UNITS + line.length);
    const [said = ''] = line.slice(head.length).split('#');
    const names = expand(said, this.variables, MAX_VALUE);
    if (names === null) throw new TooMuch();
    for (const name of wordsOf(names)) {
      // A file that takes itself in shows nothing new.
      if (/[$"*?[]/.test(name) || within.includes(name)) continue;
      if (within.length >= MAX_INCLUDED) throw new TooMuch();
      const text = this.#open(name);
      if (text !== null) this.#read(text, [...within, name]);
    }
    this.#block = null;
    return true;
  }

  #line(line: string): void {
    const { variables } = this;
    const [head, name] = VARIABLE.exec(line) ?? [];
    if (head !== undefined && name !== undefined) {
      const value = expand(line.slice(head.length).trim(), variables, MAX_VALUE);
      this.#reading.spend(VISIT_UNITS + (value?.length ?? MAX_VALUE));
      // What would be longer than anybody writes ends the reading where a recipe comes to it.
      variables.set(name, value);
      if (value !== null) this.#reading.hide(name, value);
    }
    const rule = name === undefined ? ruleOf(line) : null;
    if (!rule) {
      if (line.trim() !== '' && !line.startsWith('#')) this.#block = null;
      return;
    }
    const block = { needs: rule.needs, recipe: rule.first === '' ? [] : [rule.first] };
    this.#block = block;
    for (const target of rule.targets) {
      const blocks = this.rules.get(target);
      if (blocks) blocks.push(block);
      else this.rules.set(target, [block]);
    }
  }
}

/** `TARGETS: NEEDS ; FIRST # …`, each once. Read without a pattern, which a long line could stall. */
function ruleOf(line: string): { targets: string[]; needs: string[]; first: string } | null {
  const colon = line.indexOf(':');
  const head = line.slice(0, colon);
  if (colon <= 0 || /^\s|[#=]/.test(head)) return null;
  const tail = line.slice(line[colon + 1] === ':' ? colon + 2 : colon + 1);
  if (tail.startsWith('=')) return null;
  const end = tail.search(/[;#]/);
  return {
    targets: wordsOf(head),
    needs: wordsOf(end < 0 ? tail : tail.slice(0, end)),
    first: tail[end] === ';' ? tail.slice(end + 1).trim() : '',
  };
}

const wordsOf = (text: string): string[] => [...new Set(text.split(/\s+/).filter(Boolean))];

/** One line of a recipe, which a shell of its own runs. */
function recipeLine(line: string, target: string, variables: ReadonlyVariables): string {
  const [marks = ''] = /^[@+\s-]*/.exec(line) ?? [];
  const command = line.slice(marks.length);
  const shown = expand(command, variables, MAX_RECIPE_LINE, target);
  if (shown === null) throw new TooMuch();
  return `(${shown}\n)${marks.includes('-') ? ' || true' : ''}`;
}

/** What make puts in, as far as an earlier line says it; null where that is more than `most`. */
function expand(
  text: string,
  variables: ReadonlyVariables,
  most: number,
  target?: string,
): string | null {
  if (text.length > most) return null;
  let expanded = '';
  let from = 0;
  for (const found of text.matchAll(/\$(?:\$|\(([^()]*)\)|\{([^{}]*)\}|([\w*<^?%+@]))/g)) {
    const [whole, round, curly, letter] = found;
    expanded += text.slice(from, found.index);
    const put = whole === '$$' ? '$' : named(round ?? curly ?? letter ?? '', variables, target);
    from = found.index + whole.length;
    if (put === null || expanded.length + put.length > most) return null;
    expanded += put;
  }
  expanded += text.slice(from);
  return expanded.length > most ? null : expanded;
}

function named(name: string, variables: ReadonlyVariables, target?: string): string | null {
  if (name === 'MAKE') return 'make';
  if (name === '@' && target !== undefined) return target;
  const value = variables.get(name);
  return value === undefined ? '"$make_unseen"' : value;
}
