import { z } from 'zod';
import { parseOptions } from './arguments.ts';
import { ownEntry } from './own.ts';
import { type Argument, certain, showCommand } from './types.ts';

/** A task of a file: where that lies, and how its script is found in it. */
export type Task = {
  /** The directory that the task runs in, from where the command does. */
  directory: Argument;
  /** Names of the file, of which the first that is there counts. */
  files: readonly string[];
  /** The script of the task for a shell; null where the file does not say it. */
  find(text: string): string | null;
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
    find: (text) =>
      recipesOf(
        text,
        goals.filter((goal) => !goal.includes('=')),
        given,
      ),
  };
}

const RULE = /^([^\s#:=][^#:=]*?)\s*::?(?!=)\s*([^;#]*)(?:;(.*))?$/;
const VARIABLE = /^(?:export\s+|override\s+)?([\w.-]+)\s*(?:[:?]?:?:?=)\s*(.*)$/;
/** More targets of one file, and longer lines of it, than anybody reads. */
const MAX_TARGETS = 200;
const MAX_LINE = 2_000;
const MAX_SCRIPT = 128 * 1024;

/** The recipes that goals come to, their prerequisites first. Without a goal the first target is it. */
function recipesOf(
  text: string,
  goals: readonly string[],
  given: readonly string[],
): string | null {
  const rules = new Map<string, { needs: string[]; recipe: string[] }>();
  const variables = new Map<string, string>();
  let open: { needs: string[]; recipe: string[] }[] = [];
  for (const line of text.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    if (line.startsWith('\t')) {
      for (const rule of open) rule.recipe.push(line.slice(1));
      continue;
    }
    if (line.length > MAX_LINE) continue;
    const [, name, value = ''] = VARIABLE.exec(line) ?? [];
    if (name !== undefined) variables.set(name, expand(value.trim(), variables));
    const [, targets, needs = '', first] = name === undefined ? (RULE.exec(line) ?? []) : [];
    if (targets === undefined) {
      if (line.trim() !== '' && !line.startsWith('#')) open = [];
      continue;
    }
    open = targets.split(/\s+/).map((target) => {
      const rule = rules.get(target) ?? { needs: [], recipe: [] };
      rules.set(target, rule);
      rule.needs.push(...needs.split(/\s+/).filter(Boolean));
      if (first?.trim()) rule.recipe.push(first.trim());
      return rule;
    });
  }
  for (const each of given) variables.set(each.split('=')[0] ?? '', each.replace(/^[^=]*=/, ''));
  const lines: string[] = [];
  const seen = new Set<string>();
  const visit = (target: string): void => {
    const rule = rules.get(target);
    if (!rule || seen.has(target) || seen.size > MAX_TARGETS) return;
    seen.add(target);
    rule.needs.forEach(visit);
    lines.push(...rule.recipe.map((line) => recipeLine(line, target, variables)));
  };
  const usual = [...rules.keys()].find((name) => !name.startsWith('.'));
  for (const goal of goals.length > 0 ? goals : usual === undefined ? [] : [usual]) visit(goal);
  const script = ['set -e', ...lines].join('\n');
  return lines.length > 0 && script.length < MAX_SCRIPT ? script : null;
}

/** One line of a recipe, which a shell of its own runs. */
function recipeLine(line: string, target: string, variables: ReadonlyMap<string, string>): string {
  const [, marks = '', command = ''] = /^([@+\s-]*)(.*)$/.exec(line) ?? [];
  const shown = expand(command.replaceAll('$@', target), variables);
  return `(${shown}\n)${marks.includes('-') ? ' || true' : ''}`;
}

/** What make puts in, as far as an earlier line says it; anything else cannot be seen. */
const expand = (text: string, variables: ReadonlyMap<string, string>): string =>
  text
    .replaceAll(
      /\$(?:\$|\(([^()]*)\)|\{([^{}]*)\}|([\w*<^?%+@]))/g,
      (whole, round?: string, curly?: string, letter?: string) => {
        if (whole === '$$') return '$';
        const name = round ?? curly ?? letter ?? '';
        return name === 'MAKE' ? 'make' : (variables.get(name) ?? '"$make_unseen"');
      },
    )
    .slice(0, MAX_LINE);

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
