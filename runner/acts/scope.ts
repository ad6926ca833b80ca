import type { Function as FunctionNode, Word, WordPart } from 'unbash';
import type { Reading } from './reading.ts';
import { type Look, Sight } from './sight.ts';
import { type Argument, certain } from './types.ts';

/** What earlier parts of the same command line defined. */
export type Scope = {
  /** Null is a variable that was set to something that cannot be seen. */
  variables: Map<string, string | null>;
  functions: Map<string, FunctionNode['body']>;
  aliases: Map<string, string>;
  positional: readonly Argument[];
  errexit: boolean;
  pipefail: boolean;
  /** The line has changed to a directory outside of the one it began in. */
  outside: boolean;
  /** Where it is by now, from the directory that it began in. */
  at: Argument;
  /** The files that it can be seen to run. One for the whole line, subshells and scripts included. */
  sight: Sight;
  /** What reading the line may cost. One for all of it, too. */
  reading: Reading;
  /** The file as it lies there that this is read from; null where the line itself says it. */
  file: string | null;
  /** The scripts that it is within, each with what it is given: one that runs itself shows nothing new. */
  within: readonly string[];
  depth: number;
};

export const newScope = (look: Look, reading: Reading): Scope => ({
  variables: new Map(),
  functions: new Map(),
  aliases: new Map(),
  positional: [],
  errexit: false,
  pipefail: false,
  outside: false,
  at: certain('.'),
  sight: new Sight(look),
  reading,
  file: null,
  within: [],
  depth: 0,
});

/** What an entry of a map and a field of a command cost to make. */
const COPY_UNITS = 200;
const FIELD_UNITS = 32;

/** A scope whose changes do not come back: a subshell, a function's arguments. */
export function childScope(scope: Scope, change: Partial<Scope> = {}): Scope {
  const { variables, functions, aliases, reading } = scope;
  reading.spend(COPY_UNITS * (1 + variables.size + functions.size + aliases.size));
  return {
    ...scope,
    variables: new Map(variables),
    functions: new Map(functions),
    aliases: new Map(aliases),
    depth: scope.depth + 1,
    ...change,
  };
}

/** The fields that a word becomes: none for `$@` without arguments, several for `$CMD`. */
export function expandWord(word: Word, scope: Scope): Argument[] {
  const fields = fieldsOf(word, scope);
  for (const { text } of fields) scope.reading.spend(FIELD_UNITS + text.length);
  return fields;
}

function fieldsOf(word: Word, scope: Scope): Argument[] {
  const { parts } = word;
  if (!parts) return [{ text: word.value, certain: true }];
  const [only] = parts;
  if (parts.length === 1 && only) {
    if (isAllArguments(only)) return [...scope.positional];
    const value =
      only.type === 'SimpleExpansion' || only.type === 'ParameterExpansion'
        ? valueOf(only, scope)
        : undefined;
    // Unquoted, so the shell splits it: `CMD="git push"; $CMD` is two fields.
    if (typeof value === 'string')
      return value
        .split(/\s+/)
        .filter(Boolean)
        .map((text) => ({ text, certain: true }));
  }
  return splitFields(parts).map((each) => joinParts(each, scope));
}

/** `git${IFS}push` is two fields, for nothing quotes what stands between them. */
function splitFields(parts: readonly WordPart[]): WordPart[][] {
  const fields: WordPart[][] = [[]];
  for (const part of parts) {
    if (isSeparator(part)) fields.push([]);
    else fields.at(-1)?.push(part);
  }
  const filled = fields.filter((each) => each.length > 0);
  return filled.length > 0 ? filled : [[...parts]];
}

const isSeparator = (part: WordPart): boolean =>
  (part.type === 'SimpleExpansion' && part.text === '$IFS') ||
  (part.type === 'ParameterExpansion' && part.parameter === 'IFS');

function isAllArguments(part: WordPart): boolean {
  const inner = part.type === 'DoubleQuoted' && part.parts.length === 1 ? part.parts[0] : part;
  return inner?.type === 'SimpleExpansion' && (inner.text === '$@' || inner.text === '$*');
}

function joinParts(parts: readonly WordPart[], scope: Scope): Argument {
  let text = '';
  let certain = true;
  for (const part of parts) {
    if (text.length > WORD_MAX_CHARS) break;
    if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') {
      const inner = joinParts(part.parts, scope);
      text += inner.text;
      certain &&= inner.certain;
      continue;
    }
    const value = valueOf(part, scope);
    text += value ?? part.text;
    certain &&= value !== null;
  }
  // A line that doubles a variable again and again stands for more text than there is memory.
  return text.length >= WORD_MAX_CHARS
    ? { text: text.slice(0, WORD_MAX_CHARS), certain: false }
    : { text, certain };
}

export const WORD_MAX_CHARS = 64 * 1024;

/** The text that a part stands for; null when that cannot be seen. */
function valueOf(part: WordPart, scope: Scope): string | null {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'Glob':
      return part.value;
    case 'DoubleQuoted':
    case 'LocaleString': {
      const inner = joinParts(part.parts, scope);
      return inner.certain ? inner.text : null;
    }
    case 'SimpleExpansion':
      return lookUp(part.text.slice(1), scope);
    case 'ParameterExpansion':
      if (!part.operation && !part.prefix && !part.index) return lookUp(part.parameter, scope);
      return part.operation?.type === 'Default'
        ? withDefault(part.parameter, part.operation.operator, part.operation.operand, scope)
        : null;
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return null;
    default:
      return part satisfies never;
  }
}

function lookUp(name: string, scope: Scope): string | null {
  if (/^[1-9]$/.test(name)) {
    const argument = scope.positional[Number(name) - 1];
    return argument?.certain ? argument.text : null;
  }
  return scope.variables.get(name) ?? null;
}

/** `${X:-word}`: of a variable that this line did not set, only the word is known. */
function withDefault(name: string, operator: string, operand: Word, scope: Scope): string | null {
  const value = lookUp(name, scope);
  if (operator.endsWith('+') || operator.endsWith('?')) return null;
  if (value) return value;
  if (!scope.variables.has(name)) return null;
  const [first] = expandWord(operand, scope);
  return first?.certain ? first.text : null;
}
