import {
  type AndOr,
  type Assignment,
  type Command,
  forEachChild,
  parse,
  type Pipeline,
  type Redirection,
  type Statement,
  type SyntaxNode,
} from 'unbash';
import { TooMuch } from './reading.ts';
import { childScope, expandWord, type Scope, WORD_MAX_CHARS } from './scope.ts';
import { type Argument, NO_PROOF, type Proof } from './types.ts';

/** One simple command as it would run, still inside its wrappers. */
export type SimpleCommand = {
  fields: readonly Argument[];
  proof: Proof;
  scope: Scope;
  /** What it reads on its standard input, where the line itself says so. */
  input: Argument | null;
  /** The file that its standard input is. */
  reads: Argument | null;
  /** The line has a syntax error, so where commands begin is the parser's guess. */
  doubtful: boolean;
};

/** A file that the line sends output to, be it of a command, of several, or of none at all. */
export type Write = {
  file: Argument;
  /** The command, if it is of one alone, and the redirection behind it. */
  shown: readonly [of: readonly Argument[], operator: string];
  proof: Proof;
  scope: Scope;
  doubtful: boolean;
};

/** Is shown what a line would do, in the order in which it would. */
export type Visitor = {
  command(command: SimpleCommand): void;
  write(write: Write): void;
  /** Starts something, and nobody can say what; `what`: as much as can be said of it. */
  unseen(command: SimpleCommand, what?: string): void;
};

/** Deeper nesting of scripts in scripts than any person or model writes: nobody reads on there. */
const MAX_DEPTH = 12;
/** What a character costs to parse. */
const PARSE_UNITS = 8;

/** Visits every simple command and every written file of a script. */
export function walkScript(
  source: string,
  proof: Proof,
  scope: Scope,
  visitor: Visitor,
  doubtful = false,
): void {
  // A text that long was cut where it was put together: what came behind that is not in it.
  if (scope.depth > MAX_DEPTH || (scope.depth > 0 && source.length >= WORD_MAX_CHARS))
    throw new TooMuch();
  // The line itself is as long as it is; what it makes of itself is not.
  if (scope.depth > 0) scope.reading.spend(PARSE_UNITS * source.length);
  const script = parse(source);
  new Walker(visitor, doubtful || (script.errors?.length ?? 0) > 0).list(
    script.commands,
    proof,
    scope,
  );
}

/**
 * Visits a script that is longer than a text that is read at once: as many whole statements at a
 * time as such a text holds. Where one alone is longer, it throws.
 */
export function walkLong(
  source: string,
  proof: Proof,
  scope: Scope,
  visitor: Visitor,
  doubtful: boolean,
): void {
  if (scope.depth > MAX_DEPTH) throw new TooMuch();
  for (let from = 0; from < source.length;) {
    const piece = source.slice(from, from + WORD_MAX_CHARS);
    scope.reading.spend(PARSE_UNITS * piece.length);
    const { commands, errors = [] } = parse(piece);
    const isLast = from + piece.length === source.length;
    // The statement that was cut, from where its line begins: a text may belong to what stands before.
    const cut = isLast
      ? commands.length
      : commands.findLastIndex(({ pos }) => pos > 0 && piece[pos - 1] === '\n');
    // Remarks alone end where a line of them does.
    const lines = commands.length > 0 ? 0 : piece.lastIndexOf('\n') + 1;
    const end = isLast ? piece.length : (commands[cut]?.pos ?? lines);
    if (end === 0) throw new TooMuch();
    new Walker(visitor, doubtful || errors.some(({ pos }) => pos < end)).list(
      commands.slice(0, Math.max(0, cut)),
      isLast ? proof : NO_PROOF,
      scope,
    );
    from += end;
  }
}

/** Visits the commands of a function's body, under the scope of its call. */
export function walkBody(
  body: SyntaxNode,
  command: SimpleCommand,
  scope: Scope,
  visitor: Visitor,
): void {
  new Walker(visitor, command.doubtful).node(body, command.proof, scope, command.input);
}

class Walker {
  private readonly visitor: Visitor;
  private readonly doubtful: boolean;

  constructor(visitor: Visitor, doubtful: boolean) {
    this.visitor = visitor;
    this.doubtful = doubtful;
  }

  /** Only the last statement decides the status of a list, unless `set -e` makes all of them do. */
  list(statements: readonly Statement[], proof: Proof, scope: Scope): void {
    for (const [index, statement] of statements.entries()) {
      const last = index === statements.length - 1;
      const earlier: Proof = { done: scope.errexit && proof.done, notDone: false };
      const own = statement.background ? NO_PROOF : last ? proof : earlier;
      this.node(statement.command, own, scope, null);
    }
  }

  node(node: SyntaxNode, proof: Proof, scope: Scope, input: Argument | null): void {
    if (scope.depth > MAX_DEPTH) throw new TooMuch();
    switch (node.type) {
      case 'Command':
        return this.command(node, proof, scope, input);
      case 'AndOr':
        return this.andOr(node, proof, scope);
      case 'Pipeline':
        return this.pipeline(node, proof, scope);
      case 'Subshell':
        return this.list(node.body.commands, proof, childScope(scope));
      case 'BraceGroup':
        return this.list(node.body.commands, proof, scope);
      case 'CompoundList':
        return this.list(node.commands, proof, scope);
      case 'Redirected':
        for (const redirect of node.redirects) this.expansions(redirect, scope);
        this.writes(node.redirects, [], proof, scope);
        return this.node(node.command, proof, scope, inputOf(node.redirects, scope) ?? input);
      case 'Function':
        scope.functions.set(node.name.value, node.body);
        return undefined;
      case 'For':
        this.expansions(node.name, scope);
        for (const word of node.wordlist ?? []) this.expansions(word, scope);
        this.bindLoop(node.name.value, node.wordlist ?? [], scope);
        return this.node(node.body, NO_PROOF, scope, null);
      default:
        return this.parts(node, scope);
    }
  }

  /** A compound command whose branches may or may not run: each is looked at, none is proven. */
  private parts(node: SyntaxNode, scope: Scope): void {
    forEachChild(node, (child) => {
      if (child.type === 'CompoundList') this.node(child, NO_PROOF, scope, null);
      else if (child.type === 'Command') this.node(child, NO_PROOF, scope, null);
      else if (child.type === 'Elif' || child.type === 'CaseItem') this.parts(child, scope);
      else if (COMPOUND.has(child.type)) this.node(child, NO_PROOF, scope, null);
      else this.expansions(child, scope);
    });
  }

  private andOr(node: AndOr, proof: Proof, scope: Scope): void {
    // What stands behind each, found once: a chain may be as long as its line.
    const lastOther = node.operators.findLastIndex((operator) => operator !== '&&');
    const lastAnd = node.operators.findLastIndex((operator) => operator !== '||');
    for (const [index, command] of node.commands.entries()) {
      const before = index === 0 ? '&&' : node.operators[index - 1];
      const own: Proof = {
        done: proof.done && before === '&&' && lastOther < index,
        notDone: proof.notDone && lastAnd < index,
      };
      this.node(command, own, scope, null);
    }
  }

  private pipeline(node: Pipeline, proof: Proof, scope: Scope): void {
    const negated = node.prefixes.some((prefix) => prefix.type === 'Negation');
    let piped: Argument | null = null;
    for (const [index, command] of node.commands.entries()) {
      const last = index === node.commands.length - 1;
      const earlier: Proof = { done: scope.pipefail && proof.done, notDone: false };
      const own = negated ? NO_PROOF : last ? proof : earlier;
      this.node(command, own, last && index > 0 ? childScope(scope) : scope, piped);
      piped = command.type === 'Command' ? handedOn(command, piped, scope) : null;
    }
  }

  private command(node: Command, proof: Proof, scope: Scope, piped: Argument | null): void {
    for (const part of [...node.prefix, ...node.suffix]) this.expansions(part, scope);
    if (!node.name) {
      this.writes(node.redirects, [], proof, scope);
      for (const part of node.prefix) if (part.type === 'Assignment') assign(part, scope);
      return;
    }
    this.expansions(node.name, scope);
    const fields = [
      ...expandWord(node.name, scope),
      ...node.args.flatMap((arg) =>
        arg.type === 'Word' ? expandWord(arg, scope) : [assignmentField(arg, scope)],
      ),
    ];
    if (DECLARING.has(node.name.value)) {
      for (const arg of node.args) if (arg.type === 'Assignment') assign(arg, scope);
    }
    const input = inputOf(node.redirects, scope) ?? piped;
    const reads = filesOf(node.redirects, ['<'], scope)[0] ?? null;
    this.writes(node.redirects, fields, proof, scope);
    this.notes(node, fields, input, scope);
    this.visitor.command({ fields, proof, scope, input, reads, doubtful: this.doubtful });
  }

  /** What `echo`, `printf`, `cat` and `tee` put into files, for whoever runs those later. */
  private notes(
    node: Command,
    [name, ...args]: readonly Argument[],
    input: Argument | null,
    scope: Scope,
  ): void {
    const { sight, at } = scope;
    const said = spokenBy(node, scope);
    for (const redirect of node.redirects)
      for (const file of filesOf([redirect], WRITING, scope))
        sight.write(at, file, said, redirect.type === 'Redirect' && redirect.operator === '>>');
    if (name?.text !== 'tee') return;
    for (const file of args.filter(({ text }) => !text.startsWith('-')))
      sight.write(
        at,
        file,
        input,
        args.some(({ text }) => text === '-a'),
      );
  }

  private writes(
    redirects: readonly Redirection[],
    fields: readonly Argument[],
    { done }: Proof,
    scope: Scope,
  ): void {
    for (const redirect of redirects)
      for (const file of filesOf([redirect], WRITING, scope))
        this.visitor.write({
          file,
          shown: [fields, redirect.operator],
          scope,
          // The file is opened before anything runs, whatever becomes of that.
          proof: { done, notDone: false },
          doubtful: this.doubtful,
        });
  }

  /** Commands in `$(…)`, `<(…)` and the like run too, whatever the word around them is for. */
  private expansions(node: SyntaxNode, scope: Scope): void {
    if (
      node.type === 'CommandExpansion' ||
      node.type === 'ProcessSubstitution' ||
      node.type === 'ArithmeticCommandExpansion'
    ) {
      if (node.script) this.list(node.script.commands, NO_PROOF, childScope(scope));
      return;
    }
    forEachChild(node, (child) => this.expansions(child, scope));
  }

  /** A loop over one known word is as good as an assignment; over several, which one is not known. */
  private bindLoop(
    name: string,
    wordlist: readonly Parameters<typeof expandWord>[0][],
    scope: Scope,
  ): void {
    const values = wordlist.flatMap((word) => expandWord(word, scope));
    const [only] = values;
    scope.variables.set(name, values.length === 1 && only?.certain ? only.text : null);
  }
}

const COMPOUND = new Set([
  'AndOr',
  'Pipeline',
  'Subshell',
  'BraceGroup',
  'Redirected',
  'If',
  'While',
  'Case',
  'Select',
  'For',
  'ArithmeticFor',
]);
const WRITING = ['>', '>>', '>|', '&>', '&>>', '>&'];
const DECLARING = new Set(['export', 'declare', 'local', 'readonly', 'typeset']);

function assign(node: Assignment, scope: Scope): void {
  const before = scope.variables.get(node.name);
  const value = node.value.type === 'Word' && !node.index ? expandWord(node.value, scope) : [];
  const cut = value.some(({ text }) => text.length >= WORD_MAX_CHARS);
  const joined =
    cut || value.every((field) => field.certain)
      ? value.map((field) => field.text).join(' ')
      : null;
  const known = node.value.type === 'Word' && !node.index ? joined : null;
  const whole =
    !node.append || known === null ? known : typeof before === 'string' ? before + known : null;
  // A line that doubles a variable again and again stands for more text than there is memory. Cut, it
  // is still as long as a text that is not read.
  const kept = whole?.slice(0, WORD_MAX_CHARS) ?? null;
  scope.variables.set(node.name, kept);
  if (scope.file !== null && kept !== null) scope.reading.hide(node.name, kept);
}

function assignmentField(node: Assignment, scope: Scope): Argument {
  if (node.value.type !== 'Word') return { text: node.text, certain: false };
  const fields = expandWord(node.value, scope);
  return {
    text: `${node.name}=${fields.map((field) => field.text).join(' ')}`,
    certain: fields.every((field) => field.certain),
  };
}

/** What a here-document or here-string feeds in. */
function inputOf(redirects: readonly Redirection[], scope: Scope): Argument | null {
  for (const redirect of redirects) {
    if (redirect.type === 'HereDoc') return { text: redirect.body.text, certain: true };
    if (redirect.type === 'HereString' && redirect.target) {
      const fields = expandWord(redirect.target, scope);
      return {
        text: fields.map((field) => field.text).join(' '),
        certain: fields.every((field) => field.certain),
      };
    }
  }
  return null;
}

/** The files that are behind redirections of these kinds. */
function filesOf(
  redirects: readonly Redirection[],
  operators: readonly string[],
  scope: Scope,
): Argument[] {
  return redirects.flatMap((redirect) =>
    redirect.type === 'Redirect' && redirect.target && operators.includes(redirect.operator)
      ? expandWord(redirect.target, scope)
      : [],
  );
}

/** What a command of a pipeline hands to the next one: what it says, or what it decodes. */
function handedOn(node: Command, piped: Argument | null, scope: Scope): Argument | null {
  const [option, ...more] = node.args.map((arg) => (arg.type === 'Word' ? arg.value : ''));
  const decodes = node.name?.value === 'base64' && /^(?:-d|-D|--decode)$/.test(option ?? '');
  if (!decodes || more.length > 0 || !piped) return spokenBy(node, scope);
  return { ...piped, text: Buffer.from(piped.text, 'base64').toString() };
}

/** What `echo` or `printf` would hand to the next command of the pipeline. */
function spokenBy(node: Command, scope: Scope): Argument | null {
  const name = node.name?.value;
  if (name !== 'echo' && name !== 'printf' && name !== 'cat') return null;
  if (name === 'cat') return inputOf(node.redirects, scope);
  const fields = node.args.flatMap((arg) =>
    arg.type === 'Word' ? expandWord(arg, scope) : [assignmentField(arg, scope)],
  );
  const said = fields.filter((field) => !/^-[neE]+$/.test(field.text));
  const text = said
    .map((field) => field.text)
    .join(' ')
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t')
    .replaceAll('%s', '');
  return { text, certain: said.every((field) => field.certain) };
}
