import { basename } from 'node:path';
import { ownEntry } from './own.ts';
import { findStartedInLong } from './long-program.ts';
import { findStarted, type Language } from './program-text.ts';
import { RULES } from './rules/index.ts';
import { childScope, type Scope } from './scope.ts';
import { joinAt, type Opened } from './sight.ts';
import { taskOf } from './tasks.ts';
import { type Argument, certain } from './types.ts';
import { type SimpleCommand, type Visitor, walkLong, walkScript } from './walk.ts';

const SHELLS = /^(?:ba|z|da|k|a)?sh$/;
const PYTHON = /^(?:python|pypy)[\d.]*$/;
const JAVASCRIPT = /^(?:node|nodejs|tsx|ts-node|bun|deno)$/;
/** Options of interpreters that take the next word. */
const VALUED = /^(?:-[oOWXr]|--rcfile|--init-file|--require|--import|--loader|--conditions|-C)$/;

/**
 * Visits what a command runs that does not stand in its words: a script that the line wrote or that
 * lies there, a task of a package or a Makefile, a program text of Python or JavaScript. What is
 * not there or made up at run time is passed over; what is too long is unseen. Runs nothing.
 */
export function lookThrough(command: SimpleCommand, visitor: Visitor): void {
  const [name, ...args] = command.fields;
  if (!name) return;
  const program = basename(name.text);
  if (program === 'source' || program === '.') return source(args, command, visitor);
  if (SHELLS.test(program)) return runFile(args, null, command, visitor);
  if (PYTHON.test(program)) return runProgram('python', /^-[A-Za-z]*c$/, args, command, visitor);
  const task = taskOf(program, args);
  if (task) {
    const directory = joinAt(command.scope.at, task.directory);
    for (const file of task.files) {
      const opened = command.scope.sight.open(directory, certain(file));
      if (!opened) continue;
      let found = false;
      within(opened, command, visitor, () => {
        const script = task.find(opened.text, command.scope.reading, (path) =>
          openWhole(directory, path, command, visitor),
        );
        if (script === null) return;
        found = true;
        walk(opened, script, command, visitor, { at: directory, positional: [] });
      });
      if (found || !opened.whole) return;
    }
    if (program !== 'bun') return;
  }
  if (JAVASCRIPT.test(program)) {
    const rest = args[0]?.text === 'run' ? args.slice(1) : args;
    return runProgram('javascript', /^(?:-e|-p|-pe|--eval|--print|eval)$/, rest, command, visitor);
  }
  // A program that is called by its place. What is known by its name has a rule of its own.
  if (!name.text.includes('/') || ownEntry(RULES, program) || /node_modules\//.test(name.text))
    return;
  runFile([name, ...args], languageOf, command, visitor);
}

/** What a file holds that another one takes in; that some of it is left out is said. */
function openWhole(
  at: Argument,
  path: string,
  command: SimpleCommand,
  visitor: Visitor,
): string | null {
  const opened = command.scope.sight.open(at, certain(path));
  if (opened && !opened.whole) visitor.unseen(command, restOf(opened));
  return opened && opened.text;
}

/** By what its first line says, a script is for a shell, which it is without one too. */
function languageOf(text: string): Language | 'shell' | null {
  const [, interpreter] = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(\S+)/.exec(text) ?? [];
  if (interpreter === undefined) return text.includes('\0') ? null : 'shell';
  const program = basename(interpreter);
  if (SHELLS.test(program)) return 'shell';
  if (PYTHON.test(program)) return 'python';
  return JAVASCRIPT.test(program) ? 'javascript' : null;
}

/** The first word that is no option, and what follows it; null where the options say it all. */
function operandOf(args: readonly Argument[]): readonly Argument[] | null {
  for (let index = 0; index < args.length; index++) {
    const text = args[index]?.text ?? '';
    if (VALUED.test(text)) index += 1;
    else if (text === '--') return args.slice(index + 1);
    else if (text === '-' || text === '-s' || /^-[A-Za-z]*c$/.test(text) || text === '-m')
      return null;
    else if (!/^[-+]./.test(text)) return args.slice(index);
  }
  return null;
}

function runFile(
  args: readonly Argument[],
  by: typeof languageOf | null,
  command: SimpleCommand,
  visitor: Visitor,
): void {
  const [file, ...positional] = operandOf(args) ?? [];
  const opened = file && command.scope.sight.open(command.scope.at, file);
  if (!opened) return;
  const language = by ? by(opened.text) : 'shell';
  if (language === null) return;
  within(opened, command, visitor, () => {
    if (language === 'shell') walk(opened, opened.text, command, visitor, { positional });
    else visitStarted(language, opened, command, visitor);
  });
}

/** Reads a file with what it may cost, and says so where some of it is left out. */
function within(opened: Opened, command: SimpleCommand, visitor: Visitor, read: () => void): void {
  if (!opened.long) return read();
  const isRead = command.scope.reading.aside(read);
  if (!isRead || !opened.whole) visitor.unseen(command, restOf(opened));
}

const restOf = ({ read }: Opened): string =>
  `the rest of ${read}, which is too long to be read whole`;

/** What a file defines stays; what it sets may be a secret, and is out of sight from then on. */
function source(args: readonly Argument[], command: SimpleCommand, visitor: Visitor): void {
  const [file, ...positional] = args;
  const { scope } = command;
  const opened = file && scope.sight.open(scope.at, file);
  if (!opened) return;
  within(opened, command, visitor, () => {
    const inner = walk(opened, opened.text, command, visitor, { positional });
    for (const [name, body] of inner.functions) scope.functions.set(name, body);
    for (const [name, alias] of inner.aliases) scope.aliases.set(name, alias);
    for (const [name, value] of inner.variables)
      if (scope.variables.get(name) !== value) scope.variables.set(name, null);
    scope.at = inner.at;
  });
}

function walk(
  opened: Opened,
  script: string,
  { scope, proof, doubtful }: SimpleCommand,
  visitor: Visitor,
  change: Partial<Scope>,
): Scope {
  const given = (change.positional ?? []).map(({ text }) => text);
  const name = [opened.read ?? scope.at.text, script, ...given].join('\0');
  const within = [...scope.within, name];
  const inner = childScope(scope, { ...change, file: opened.read ?? scope.file, within });
  if (scope.within.includes(name)) return inner;
  const read = opened.long ? walkLong : walkScript;
  read(script, proof, inner, visitor, doubtful || !opened.certain);
  return inner;
}

function runProgram(
  language: Language,
  option: RegExp,
  args: readonly Argument[],
  command: SimpleCommand,
  visitor: Visitor,
): void {
  const at = args.findIndex(({ text }) => option.test(text));
  const { scope, input } = command;
  const given = at < 0 ? undefined : args[at + 1];
  const [file] = (at < 0 ? operandOf(args) : null) ?? [];
  const opened = file && scope.sight.open(scope.at, file);
  const named = args.some(({ text }) => text === '-m') || (at < 0 && file !== undefined);
  const text = given ?? (named ? null : input);
  if (text) visitStarted(language, { ...text, ...OF_THE_LINE }, command, visitor);
  else if (opened)
    within(opened, command, visitor, () => visitStarted(language, opened, command, visitor));
}
const OF_THE_LINE = { read: null, whole: true, long: false };

function visitStarted(
  language: Language,
  opened: Opened,
  command: SimpleCommand,
  visitor: Visitor,
): void {
  const scope = childScope(command.scope, { file: opened.read ?? command.scope.file });
  const all = (opened.long ? findStartedInLong : findStarted)(language, opened.text, scope.reading);
  if (!all) return visitor.unseen(command);
  for (const started of all) {
    if (started.kind === 'unseen') {
      visitor.unseen(command);
      continue;
    }
    const doubtful = command.doubtful || !opened.certain || started.doubtful;
    const [line] = started.words;
    const proof = { done: command.proof.done && started.proven, notDone: false };
    if (started.kind === 'words')
      visitor.command({
        fields: started.words,
        proof,
        scope: childScope(scope),
        input: null,
        reads: null,
        doubtful,
      });
    else if (line)
      walkScript(line.text, proof, childScope(scope), visitor, doubtful || !line.certain);
  }
}
