import type { SgNode } from '@ast-grep/napi';
import type { Reading } from './reading.ts';
import type { Argument } from './types.ts';

/** How a language writes what a command is made of. Kinds are those of its tree-sitter grammar. */
export type Literals = {
  calls: readonly string[];
  /** What encloses text that may never run. */
  functions: RegExp;
  /** Arguments that are no words: options by name. */
  options: RegExp;
  /** What gives a name its value, and the fields of both. */
  assigns: { kind: string; left: string; right: string };
  /** A text as far as it is literal. */
  read(node: SgNode, names: Names): Argument;
  /** The words of an argument: one, or those of a list. */
  words(node: SgNode, names: Names): Argument[];
};

const UNSEEN: Argument = { text: '…', certain: false };
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' };
/** Longer chains of names and sums than anybody writes. */
const MAX_DEPTH = 32;
/** More words of one list than a command is given. */
const MAX_PARTS = 200;
/** What a node costs to look at. */
const NODE_UNITS = 100;

const unescaped = (text: string): string =>
  text.replaceAll(/\\([\s\S])/g, (_, letter: string) => ESCAPES[letter] ?? letter);

/** Put together, as far as there is room for what names upon names come to. */
const joined = (parts: readonly Argument[], names: Names): Argument =>
  names.hasRoom(parts.reduce((sum, { text }) => sum + text.length, 0))
    ? {
        text: parts.map(({ text }) => text).join(''),
        certain: parts.every(({ certain }) => certain),
      }
    : names.beyond();

/** What names of a program stand for: what is assigned to each, where that happens once. */
export class Names {
  readonly #root: SgNode;
  readonly #literals: Literals;
  readonly #reading: Reading;
  readonly #texts = new Map<string, Argument>();
  #cut = false;
  #values: Map<string, SgNode | null> | null = null;

  constructor(root: SgNode, literals: Literals, reading: Reading) {
    this.#root = root;
    this.#literals = literals;
    this.#reading = reading;
  }

  /** The text of a name, worked out once: names of names would come to it again and again. */
  textOf(name: SgNode, read: (node: SgNode) => Argument): Argument {
    const known = this.#texts.get(name.text());
    if (known) return known;
    const value = this.get(name);
    // A name that stands for itself stands for nothing.
    this.#texts.set(name.text(), UNSEEN);
    const text = value ? read(value) : UNSEEN;
    this.#texts.set(name.text(), text);
    if (text.certain) this.#reading.hide(name.text(), text.text);
    return text;
  }

  /** Whether something came to more than is read, so that nobody knows what it says. */
  get cut(): boolean {
    return this.#cut;
  }

  /** What is past what is read. */
  beyond(): Argument {
    this.#cut = true;
    return UNSEEN;
  }

  hasNode(): boolean {
    return this.#reading.takeNode();
  }

  hasRoom(chars: number): boolean {
    return this.#reading.takeText(chars);
  }

  /** The first parts of a list, which may be long and be named often. */
  partsOf(list: SgNode): SgNode[] {
    const parts = list.namedChildren();
    this.#reading.spend(NODE_UNITS * parts.length);
    if (parts.length > MAX_PARTS) this.#cut = true;
    return parts.slice(0, MAX_PARTS);
  }

  get(name: SgNode): SgNode | null {
    this.#values ??= this.#read();
    return this.#values.get(name.text()) ?? null;
  }

  #read(): Map<string, SgNode | null> {
    const { kind, left, right } = this.#literals.assigns;
    const values = new Map<string, SgNode | null>();
    for (const each of this.#root.findAll({ rule: { kind } })) {
      const name = each.field(left);
      if (!name?.is('identifier')) continue;
      values.set(name.text(), values.has(name.text()) ? null : each.field(right));
    }
    return values;
  }
}

/** `{name}` and `${name}`; what is worked out there is not seen. */
const valueIn = (part: SgNode, read: (node: SgNode) => Argument): Argument => {
  const [only, ...more] = part.namedChildren();
  return only?.is('identifier') && more.length === 0 ? read(only) : UNSEEN;
};

function readPython(node: SgNode, names: Names, depth = 0): Argument {
  const kind = String(node.kind());
  if (depth > MAX_DEPTH || !names.hasNode()) return names.beyond();
  const inner = (each: SgNode) => readPython(each, names, depth + 1);
  switch (kind) {
    case 'string': {
      const raw = /^[a-z]*r/i.test(node.child(0)?.text() ?? '');
      return joined(
        node
          .namedChildren()
          .filter((part) => !part.is('string_start') && !part.is('string_end'))
          .map((part) =>
            part.is('string_content')
              ? { text: raw ? part.text() : unescaped(part.text()), certain: true }
              : valueIn(part, inner),
          ),
        names,
      );
    }
    case 'concatenated_string':
      return joined(node.namedChildren().map(inner), names);
    default:
      return readEither(node, names, inner);
  }
}

/** What both languages say alike. */
function readEither(node: SgNode, names: Names, inner: (each: SgNode) => Argument): Argument {
  switch (String(node.kind())) {
    case 'parenthesized_expression':
      return joined(node.namedChildren().slice(0, 1).map(inner), names);
    case 'binary_operator':
    case 'binary_expression':
      return node.child(1)?.text() === '+'
        ? joined(node.namedChildren().map(inner), names)
        : UNSEEN;
    case 'identifier':
      return names.textOf(node, inner);
    default:
      return UNSEEN;
  }
}

function wordsOfPython(node: SgNode, names: Names, depth = 0): Argument[] {
  if (depth > MAX_DEPTH) return [names.beyond()];
  if (node.is('list') || node.is('tuple'))
    return names.partsOf(node).map((each) => readPython(each, names));
  if (node.is('identifier')) {
    const value = names.get(node);
    return value ? wordsOfPython(value, names, depth + 1) : [UNSEEN];
  }
  const callee = node.is('call') ? node.field('function') : null;
  // `'git push'.split()` and `shlex.split('git push')`.
  const [, text] = /^(.*)\.split$/s.exec(callee?.text() ?? '') ?? [];
  if (callee && text !== undefined) {
    const source =
      text === 'shlex' ? node.field('arguments')?.namedChildren()[0] : callee.field('object');
    const said = source ? readPython(source, names) : UNSEEN;
    return said.text
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => ({ ...said, text: word }));
  }
  return [readPython(node, names)];
}

function readJs(node: SgNode, names: Names, depth = 0): Argument {
  if (depth > MAX_DEPTH || !names.hasNode()) return names.beyond();
  const inner = (each: SgNode) => readJs(each, names, depth + 1);
  switch (String(node.kind())) {
    case 'string':
    case 'template_string':
      return joined(
        node.namedChildren().map((part) => {
          const seen = part.is('string_fragment') || part.is('escape_sequence');
          return seen ? { text: unescaped(part.text()), certain: true } : valueIn(part, inner);
        }),
        names,
      );
    default:
      return readEither(node, names, inner);
  }
}

function wordsOfJs(node: SgNode, names: Names, depth = 0): Argument[] {
  if (depth > MAX_DEPTH) return [names.beyond()];
  if (node.is('array')) return names.partsOf(node).map((each) => readJs(each, names));
  if (node.is('identifier')) {
    const value = names.get(node);
    return value ? wordsOfJs(value, names, depth + 1) : [UNSEEN];
  }
  return [readJs(node, names)];
}

export const LITERALS: Readonly<Record<'python' | 'javascript', Literals>> = {
  python: {
    calls: ['call'],
    functions: /^(?:function_definition|lambda|class_definition)$/,
    options: /^(?:keyword_argument|dictionary_splat|comment)$/,
    assigns: { kind: 'assignment', left: 'left', right: 'right' },
    read: (node, names) => readPython(node, names),
    words: (node, names) => wordsOfPython(node, names),
  },
  javascript: {
    calls: ['call_expression'],
    functions: /function|method_definition|class_body/,
    options: /^(?:object|arrow_function|function_expression|comment)$/,
    assigns: { kind: 'variable_declarator', left: 'name', right: 'value' },
    read: (node, names) => readJs(node, names),
    words: (node, names) => wordsOfJs(node, names),
  },
};
