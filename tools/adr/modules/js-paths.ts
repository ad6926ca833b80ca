import { posix } from 'node:path';
import { constantText, type Node, propertyName, unwrap } from './js-nodes.ts';

/**
 * A path that an expression always has. `file`: from the directory of the file that says it;
 * `itself`: that file; `process`: from wherever the program was started.
 */
export type StaticPath = { text: string; base: 'file' | 'itself' | 'process' | 'text' };

/** `import.meta` followed by a property of this name. */
export function isMeta(node: Node | undefined, property: string): boolean {
  const object = unwrap(node?.object);
  const ofImport = object?.type === 'MetaProperty' && object.meta?.name === 'import';
  return ofImport && propertyName(node) === property;
}

const MAX_STEPS = 12;
/** Functions that give the same path in another form. */
const SAME = new Set(['fileURLToPath', 'pathToFileURL', 'String', 'normalize', 'toString']);
const JOINS = new Set(['join', 'resolve']);

/**
 * The paths that an expression can have, when all of them are written in the file: constants, what
 * lies beside the file, joins and choices of these. Null where one is known at run time only.
 */
export function staticPaths(
  given: Node | null | undefined,
  valueOf: (name: string) => Node | undefined,
  steps = 0,
): StaticPath[] | null {
  const node = unwrap(given);
  if (!node || steps > MAX_STEPS) return null;
  const inner = (one: Node | null | undefined) => staticPaths(one, valueOf, steps + 1);
  const text = constantText(node);
  if (text !== null) return [{ text, base: 'text' }];
  const calleeName = nameOf(unwrap(node.callee));
  const [first, ...rest] = node.arguments ?? [];
  switch (node.type) {
    case 'Identifier': {
      if (node.name === '__dirname') return HERE;
      if (node.name === '__filename') return ITSELF;
      const value = valueOf(String(node.name));
      return value ? inner(value) : null;
    }
    case 'MemberExpression':
      if (isMeta(node, 'dirname')) return HERE;
      if (isMeta(node, 'filename') || isMeta(node, 'url')) return ITSELF;
      return ['href', 'pathname'].includes(propertyName(node) ?? '') ? inner(node.object) : null;
    case 'ConditionalExpression':
      return either(inner(node.consequent), inner(node.alternate));
    case 'LogicalExpression':
      return either(inner(node.left), inner(node.right));
    case 'BinaryExpression':
      return node.operator === '+' ? combine(inner(node.left), inner(node.right), glue) : null;
    case 'TemplateLiteral':
      return (node.quasis ?? []).reduce<StaticPath[] | null>(
        (paths, { value }, index) => {
          const hole = node.expressions?.[index];
          const written = combine(paths, [{ text: value.cooked ?? '', base: 'text' }], glue);
          return hole ? combine(written, inner(hole), glue) : written;
        },
        [EMPTY],
      );
    case 'NewExpression':
      return calleeName === 'URL' ? combine(inner(rest[0]), inner(first), resolveUrl) : null;
    case 'CallExpression': {
      const holder = unwrap(node.callee)?.object;
      if (calleeName === 'cwd') return [{ text: '.', base: 'process' }];
      if (calleeName === 'dirname') return inner(first)?.map(up) ?? null;
      if (SAME.has(calleeName ?? '')) return inner(first ?? holder);
      if (!JOINS.has(calleeName ?? '') || !first || isOfArray(holder, rest.length)) return null;
      const start = inner(first)?.map(calleeName === 'resolve' ? fromProcess : asItIs) ?? null;
      return rest.reduce<StaticPath[] | null>(
        (paths, part) => combine(paths, inner(part), joined),
        start,
      );
    }
    default:
      return null;
  }
}

/** `parts.join('/')`: what is joined are the parts, and not the argument. */
function isOfArray(given: Node | undefined, more: number): boolean {
  const holder = unwrap(given);
  if (!holder || holder.type === 'ArrayExpression') return holder !== undefined;
  const isOfPaths = /^(?:path|posix|win32)$/.test(nameOf(holder) ?? '');
  return more === 0 && !isOfPaths;
}

const HERE: StaticPath[] = [{ text: '.', base: 'file' }];
const ITSELF: StaticPath[] = [{ text: '', base: 'itself' }];
const EMPTY: StaticPath = { text: '', base: 'text' };

const asItIs = (path: StaticPath): StaticPath => path;
const fromProcess = (path: StaticPath): StaticPath =>
  path.base === 'text' ? { ...path, base: 'process' } : path;

const nameOf = (callee: Node | undefined): string | null =>
  callee?.type === 'Identifier' ? String(callee.name) : propertyName(callee);

const either = (a: StaticPath[] | null, b: StaticPath[] | null): StaticPath[] | null =>
  a && b && [...a, ...b];

/** Every pair of two sets of paths; null where a pair means nothing that is known. */
function combine(
  left: StaticPath[] | null,
  right: StaticPath[] | null,
  how: (a: StaticPath, b: StaticPath) => StaticPath | null,
): StaticPath[] | null {
  if (!left || !right) return null;
  const pairs = left.flatMap((a) => right.map((b) => how(a, b)));
  return pairs.every((pair) => pair !== null) ? pairs : null;
}

/** One text after another, as `+` and templates put them. */
function glue(a: StaticPath, b: StaticPath): StaticPath | null {
  if (a === EMPTY || (a.text === '' && a.base === 'text')) return b;
  return b.base === 'text' && a.base !== 'itself' ? { ...a, text: a.text + b.text } : null;
}

function joined(a: StaticPath, b: StaticPath): StaticPath | null {
  if (b.base !== 'text' || a.base === 'itself') return null;
  return { ...a, text: posix.join(a.text, b.text) };
}

function resolveUrl(base: StaticPath, path: StaticPath): StaticPath | null {
  if (path.base !== 'text') return null;
  return base.base === 'itself' ? { text: path.text, base: 'file' } : null;
}

const up = (path: StaticPath): StaticPath =>
  path.base === 'itself'
    ? { text: '.', base: 'file' }
    : { ...path, text: posix.dirname(path.text) };
