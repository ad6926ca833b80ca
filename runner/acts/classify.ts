import { basename } from 'node:path';
import { messageOf } from '../failure.ts';
import { lookThrough } from './look-through.ts';
import { Reading, TooMuch, workedMs } from './reading.ts';
import { childScope, newScope, type Scope } from './scope.ts';
import { Shown } from './shown.ts';
import { BLIND, joinAt, type Look } from './sight.ts';
import { readWrites } from './rules/permission.ts';
import { ownEntry } from './own.ts';
import { RULES } from './rules/index.ts';
import { git } from './rules/git.ts';
import { findByName } from './rules/by-name.ts';
import {
  type Argument,
  type ClassifiedAct,
  type Finding,
  NOTHING,
  showCommand,
  type Surroundings,
} from './types.ts';
import { type SimpleCommand, type Visitor, walkBody, walkScript, type Write } from './walk.ts';
import { packageExec, SOMETIMES_WRAPPERS, type Unwrapped, WRAPPERS } from './wrappers.ts';

export type { ClassifiedAct } from './types.ts';

/** Each act is told as an event of its own. */
const MAX_ACTS = 1_000;
/** Linux hands no program a longer argument; what comes as one may cost its square to parse. */
const MAX_LINE = 128 * 1024;

/**
 * Finds the consequential commands of a shell command line. It reads the line with a shell
 * parser, sees through the wrappers, functions, aliases and variables of the line itself, and
 * says `uncertain` where something stays out of sight. It looks through the scripts, tasks and
 * program texts that the line runs, as far as the line wrote them itself or `look` shows them; what
 * it cannot see is left to the comparison of refs after the turn. Where it comes to no end, an act
 * that is `unread` stands for the rest. Never throws and runs nothing.
 */
export function classifyCommand(
  commandLine: string,
  look: Look = BLIND,
  now: () => number = workedMs,
): ClassifiedAct[] {
  const acts: ClassifiedAct[] = [];
  try {
    readLine(commandLine, look, now, acts);
  } catch (error) {
    acts.push({
      ...unseenAct(commandLine.trimStart().slice(0, MAX_UNREAD)),
      unread: messageOf(error),
    });
  }
  return acts;
}

/** As much of a line as an act shows of it. */
const MAX_UNREAD = 2_000;

/** What nobody can read may be anything; of all that leaves a checkout, a push is the likeliest. */
const unseenAct = (command: string, target: string | null = null): ClassifiedAct => ({
  kind: 'push',
  command,
  target,
  uncertain: true,
  provesDone: false,
  provesNotDone: false,
});

function readLine(commandLine: string, look: Look, now: () => number, acts: ClassifiedAct[]): void {
  if (commandLine.length > MAX_LINE) throw new TooMuch();
  const reading = new Reading(now);
  const count = (): void => {
    reading.takeCommand();
    if (acts.length >= MAX_ACTS) throw new TooMuch();
  };
  const visitor: Visitor = {
    command(command) {
      count();
      runCommand(command, visitor, acts);
    },
    write(write) {
      count();
      for (const act of actsOfWrite(write)) acts.push(act);
    },
    unseen({ fields, scope }, what) {
      const command =
        scope.file === null ? showCommand(fields) : new Shown(reading).command(fields);
      acts.push({ ...unseenAct(command, what), ...(scope.file !== null && { file: scope.file }) });
    },
  };
  walkScript(commandLine, { done: true, notDone: true }, newScope(look, reading), visitor);
}

const whole = (args: readonly Argument[], text: string): Argument =>
  args.find((arg) => arg.text === text) ?? { text, certain: false };

const actsOfWrite = ({ file, shown: [of, operator], proof, scope, doubtful }: Write) =>
  readWrites([file]).map(({ kind, target }): ClassifiedAct => ({
    kind,
    command: [
      scope.file === null ? showCommand(of) : new Shown(scope.reading).command(of),
      operator,
      showCommand([file]),
    ]
      .join(' ')
      .trim(),
    target,
    uncertain: doubtful || !file.certain,
    provesDone: proof.done,
    provesNotDone: proof.notDone,
    ...(scope.file !== null && { file: scope.file }),
  }));

function runCommand(command: SimpleCommand, visitor: Visitor, acts: ClassifiedAct[]): void {
  const [name, ...args] = command.fields;
  if (!name) return;
  const program = programOf(name.text);
  const { scope } = command;
  if (noteState(program, args, scope)) return;
  const body = scope.functions.get(program);
  if (body) return callFunction(command, args, visitor);
  const alias = scope.aliases.get(program);
  if (alias !== undefined) return callAlias(command, program, alias, args, visitor);
  const unwrap = ownEntry(WRAPPERS, program);
  const unwrapped = unwrap ? unwrap(args) : unwrapPackageManager(program, args);
  if (
    unwrapped &&
    !(unwrapped.kind === 'nothing' && (!unwrap || SOMETIMES_WRAPPERS.has(program)))
  ) {
    runUnwrapped(unwrapped, command, visitor);
    if (unwrapped.kind !== 'nothing') return;
  }
  const before = acts.length;
  lookThrough(command, visitor);
  for (const finding of findIn(name, args, command, acts.length > before)) {
    const fields = [{ ...name, text: program }, ...args];
    // What the line itself says is in the stream already.
    const shown = scope.file === null ? null : new Shown(scope.reading);
    const target = finding.target || null;
    acts.push({
      kind: finding.kind,
      command: shown ? shown.command(fields) : showCommand(fields),
      target: shown && target !== null ? shown.target(target) : target,
      uncertain:
        finding.uncertain === true ||
        command.doubtful ||
        !name.certain ||
        args.some((arg) => !arg.certain),
      provesDone: command.proof.done,
      provesNotDone: command.proof.notDone,
      ...(finding.push && { push: finding.push }),
      ...(scope.file !== null && { file: scope.file }),
    });
  }
}

/** What was looked through needs no guess by its name. */
function findIn(
  name: Argument,
  args: readonly Argument[],
  command: SimpleCommand,
  lookedThrough: boolean,
): readonly Finding[] {
  const program = programOf(name.text);
  const surroundings = surroundingsOf(command);
  // Where it lies may be out of sight; what it is called is not.
  const isNamed = name.certain || /\/[\w.-]+$/.test(name.text);
  if (!isNamed) return findUnseen(args, surroundings);
  return findKnown(program, args, surroundings, lookedThrough);
}

const programOf = (name: string): string =>
  name.includes('/') && !name.endsWith('/') && !name.startsWith('./') ? basename(name) : name;

/** What the program's own rule says, or else what its name or its task's name says. */
function findKnown(
  program: string,
  args: readonly Argument[],
  surroundings: Surroundings,
  lookedThrough: boolean,
): readonly Finding[] {
  const found = ownEntry(RULES, program)?.(args, surroundings) ?? NOTHING;
  return found.length > 0 || lookedThrough ? found : findByName(program, args);
}

/** The program is out of sight (`$GIT push`): one that takes `push` is most likely git. */
function findUnseen(args: readonly Argument[], surroundings: Surroundings): readonly Finding[] {
  return args[0]?.text === 'push' ? git(args, surroundings) : NOTHING;
}

const surroundingsOf = ({ scope, input, reads }: SimpleCommand): Surroundings => ({
  outside: scope.outside,
  input,
  reads,
});

/** `pnpm exec X`, `yarn dlx X`, `npm exec X`: wrappers under a subcommand of a package manager. */
function unwrapPackageManager(program: string, args: readonly Argument[]): Unwrapped | null {
  if (!['npm', 'pnpm', 'yarn', 'bun'].includes(program)) return null;
  const [first, ...rest] = args;
  return first && ['exec', 'x', 'dlx'].includes(first.text) ? packageExec(rest) : null;
}

function runUnwrapped(unwrapped: Unwrapped, command: SimpleCommand, visitor: Visitor): void {
  const { proof, scope, input } = command;
  switch (unwrapped.kind) {
    case 'command':
      visitor.command({
        ...command,
        fields: unwrapped.fields,
        doubtful: command.doubtful || unwrapped.uncertain === true,
      });
      return;
    case 'script': {
      const doubtful =
        command.doubtful || unwrapped.uncertain === true || !unwrapped.script.certain;
      walkScript(
        unwrapped.script.text,
        proof,
        childScope(scope, { positional: unwrapped.positional ?? [] }),
        visitor,
        doubtful,
      );
      return;
    }
    case 'input':
      if (input)
        walkScript(
          input.text,
          proof,
          childScope(scope),
          visitor,
          command.doubtful || !input.certain,
        );
      return;
    case 'nothing':
      return;
    default:
      unwrapped satisfies never;
  }
}

function callFunction(
  command: SimpleCommand,
  positional: readonly Argument[],
  visitor: Visitor,
): void {
  const name = programOf(command.fields[0]?.text ?? '');
  const body = command.scope.functions.get(name);
  if (!body) return;
  const scope = childScope(command.scope, { positional });
  // A function that calls itself has shown its commands already.
  scope.functions.delete(name);
  walkBody(body, command, scope, visitor);
}

function callAlias(
  command: SimpleCommand,
  name: string,
  alias: string,
  args: readonly Argument[],
  visitor: Visitor,
): void {
  const scope = childScope(command.scope);
  scope.aliases.delete(name);
  const rest = args.length > 0 ? ` ${showCommand(args)}` : '';
  walkScript(`${alias}${rest}`, command.proof, scope, visitor, command.doubtful);
}

/** Commands that change what later ones mean; true when that is all they do. */
function noteState(program: string, args: readonly Argument[], scope: Scope): boolean {
  switch (program) {
    case 'set': {
      const options = args.map(({ text }) => text);
      if (options.some((text) => /^-[a-z]*e/.test(text)) || options.includes('errexit'))
        scope.errexit = true;
      if (options.includes('pipefail')) scope.pipefail = true;
      return true;
    }
    case 'cd':
    case 'pushd': {
      const to = args.find(({ text }) => !text.startsWith('-') || text === '-')?.text ?? '~';
      scope.at = joinAt(
        scope.at,
        to === '-' ? { text: '$OLDPWD', certain: false } : whole(args, to),
      );
      scope.outside =
        scope.outside || to === '/' || to === '~' || to === '$HOME' || to.split('/')[0] === '..';
      return true;
    }
    case 'popd':
      scope.at = { text: '$OLDPWD', certain: false };
      return true;
    case 'alias':
      for (const { text } of args) {
        const at = text.indexOf('=');
        if (at > 0) scope.aliases.set(text.slice(0, at), text.slice(at + 1));
      }
      return true;
    case 'unalias':
      for (const { text } of args) scope.aliases.delete(text);
      return true;
    default:
      return false;
  }
}
