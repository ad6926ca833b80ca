import { z } from 'zod';
import { parseOptions } from './arguments.ts';
import { ownEntry } from './own.ts';
import { type Reading, TooMuch } from './reading.ts';
import { type Argument, certain, showCommand } from './types.ts';

/** A task of a file: where that lies, and how its script is found in it. */
export type Task = {
  /** The directory that the task runs in, from where the command does. */
  directory: Argument;
  /** Names of the file, of which the first that is there counts. */
  files: readonly string[];
  /** The script of the task for a shell; null where the file does not say it. */
  find(text: string, reading: Reading): string | null;
};

const packageJson = z.object({ scripts: z.record(z.string(), z.string()).optional() });
const SHORT: Readonly<Record<string, string>> = {
  test: 'test',
  t: 'test',
  tst: 'test',
  start: 'start',
  stop: 'stop',
  restart: 'restart',
};
/** What the package managers do under these names is their own, whatever a package calls its scripts. */
const BUILT_IN =
  /^(?:add|install|i|ci|remove|rm|up|upgrade|update|init|create|exec|x|dlx|publish|pack|link|list|ls|why|config|cache|login|info|audit|dedupe|set|version|help|npm|workspaces?|build)$/;
const VALUED = ['-C', '--prefix', '--dir', '--cwd', '--filter', '-w', '--workspace', '-F'];

/** `npm run X`, `npm test`, `yarn X`, `pnpm X`, `bun run X`: a script of a package. */
function packageTask(program: string, args: readonly Argument[]): Task | null {
  const options = parseOptions(args, VALUED);
  const { operands, values } = options;
  // In a workspace it would be the script of another package.
  if (
    ['--filter', '-F', '-w', '--workspace', '-r', '--workspaces'].some((name) =>
      options.flags.has(name),
    )
  )
    return null;
  const [first, second] = operands.map(({ text }) => text);
  if (first === undefined) return null;
  const runs = first === 'run' || first === 'run-script' || first === 'rum';
  const bare =
    program === 'yarn' || program === 'pnpm' ? !BUILT_IN.test(first) && first : undefined;
  const name = runs ? second : (ownEntry(SHORT, first) ?? bare);
  if (!name) return null;
  const rest = operands.slice(runs ? 2 : 1);
  const directory = ['--prefix', '-C', '--dir', '--cwd'].flatMap((each) => values.get(each) ?? []);
  return {
    directory: certain(directory[0] ?? '.'),
    files: ['package.json'],
    find: (text) => scriptOf(text, name, rest),
  };
}

function scriptOf(text: string, name: string, rest: readonly Argument[]): string | null {
  let scripts: Readonly<Record<string, string>>;
  try {
    scripts = packageJson.parse(JSON.parse(text)).scripts ?? {};
  } catch {
    return null;
  }
  const own = ownEntry(scripts, name);
  if (own === undefined) return null;
  const given = rest.length > 0 ? ` ${showCommand(rest)}` : '';
  return [ownEntry(scripts, `pre${name}`), `${own}${given}`, ownEntry(scripts, `post${name}`)]
    .filter((each) => each !== undefined)
    .join(' &&\n');
}

/** `-sC DIR` is `-s -C DIR`. */
const apart = (arg: Argument): Argument[] => {
  const [, flags, last] = /^-([a-zA-Z]+)([Cf])$/.exec(arg.text) ?? [];
  return flags ? [certain(`-${flags}`), certain(`-${last}`)] : [arg];
};

/** `make X`: the recipes of targets that are written out. */
function makeTask(args: readonly Argument[]): Task | null {
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
    find: (text, reading) =>
      recipesOf(
        text,
        goals.filter((goal) => !goal.includes('=')),
        given,
        reading,
      ),
  };
}

const VARIABLE = /^(?:(?:export|override)\s+)?([\w.-]+)\s*[:?]?:{0,2}=/;
/** More targets of one file, and longer values and lines of it, than anybody writes. */
const MAX_TARGETS = 2_000;
const MAX_VALUE = 16_000;
const MAX_RECIPE_LINE = 32_000;
const MAX_SCRIPT = 128 * 1024;
/** What it costs to come to a prerequisite. */
const VISIT_UNITS = 32;

/** What names stand for; null is more than is read. */
type Variables = Map<string, string | null>;
type ReadonlyVariables = ReadonlyMap<string, string | null>;

/** What stands under one line of targets; each of them has it, and none a copy of its own. */
type Block = { needs: readonly string[]; recipe: string[] };

/** The recipes that goals come to, their prerequisites first. Without a goal the first target is it. */
function recipesOf(
  text: string,
  goals: readonly string[],
  given: readonly string[],
  reading: Reading,
): string | null {
  const { rules, variables } = readMakefile(text, reading);
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

function readMakefile(
  text: string,
  reading: Reading,
): { rules: Map<string, Block[]>; variables: Variables } {
  const rules = new Map<string, Block[]>();
  const variables: Variables = new Map();
  let open: Block | null = null;
  for (const line of text.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    if (line.startsWith('\t')) {
      open?.recipe.push(line.slice(1));
      continue;
    }
    const [head, name] = VARIABLE.exec(line) ?? [];
    if (head !== undefined && name !== undefined) {
      const value = expand(line.slice(head.length).trim(), variables, MAX_VALUE);
      reading.spend(VISIT_UNITS + (value?.length ?? MAX_VALUE));
      // What would be longer than anybody writes ends the reading where a recipe comes to it.
      variables.set(name, value);
      if (value !== null) reading.hide(name, value);
    }
    const rule = name === undefined ? ruleOf(line) : null;
    if (!rule) {
      if (line.trim() !== '' && !line.startsWith('#')) open = null;
      continue;
    }
    open = { needs: rule.needs, recipe: rule.first === '' ? [] : [rule.first] };
    for (const target of rule.targets) {
      const blocks = rules.get(target);
      if (blocks) blocks.push(open);
      else rules.set(target, [open]);
    }
  }
  return { rules, variables };
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

/** The task that a command runs; null where it runs none. */
export function taskOf(program: string, args: readonly Argument[]): Task | null {
  switch (program) {
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun':
      return packageTask(program, args);
    case 'make':
    case 'gmake':
      return makeTask(args);
    default:
      return null;
  }
}
