import { type Program, Visitor } from 'oxc-parser';
import type { ImportKind } from '../rules/schema.ts';

export type ModuleCall = { kind: ImportKind; specifier: string | null; start: number };

/** As much of a node of the tree as is looked at here. */
type Node = {
  type: string;
  start: number;
  name?: unknown;
  value?: unknown;
  operator?: unknown;
  computed?: unknown;
  left?: Node;
  right?: Node;
  object?: Node;
  property?: Node;
  callee?: Node;
  expression?: Node;
  meta?: Node;
  id?: Node;
  init?: Node | null;
  arguments?: Node[];
  expressions?: Node[];
  quasis?: { value: { cooked?: string | null } }[];
};

/** The text that an expression always has: literals, templates without holes, sums of them. */
export function constantText(given: unknown): string | null {
  const node = given as Node | undefined;
  if (!node) return null;
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type === 'TemplateLiteral') {
    return node.expressions?.length === 0 ? (node.quasis?.[0]?.value.cooked ?? null) : null;
  }
  if (isWrapper(node.type)) return constantText(node.expression);
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const left = constantText(node.left);
    const right = constantText(node.right);
    return left === null || right === null ? null : left + right;
  }
  return null;
}

const isWrapper = (type: string): boolean =>
  [
    'ParenthesizedExpression',
    'TSAsExpression',
    'TSNonNullExpression',
    'TSSatisfiesExpression',
  ].includes(type);

const unwrap = (node: Node | undefined): Node | undefined =>
  node && isWrapper(node.type) ? unwrap(node.expression) : node;

const isNamed = (node: Node | undefined, name: string): boolean =>
  node?.type === 'Identifier' && node.name === name;

/** `import.meta` followed by a property of this name. */
function isMeta(node: Node | undefined, property: string): boolean {
  const object = node?.object;
  const ofImport = object?.type === 'MetaProperty' && object.meta?.name === 'import';
  return node?.type === 'MemberExpression' && ofImport && node.property?.name === property;
}

/**
 * Finds the mentions of modules that are calls: dynamic imports, `require` and `require.resolve`
 * (also under names given by `createRequire` or an alias), `import.meta.resolve`, `new URL(…,
 * import.meta.url)`, and the TypeScript forms `import x = require(…)` and `import('…').T`.
 * `require` that is handed on as a value is a mention that cannot be followed.
 */
export function findCalls(program: Program): ModuleCall[] {
  const found: ModuleCall[] = [];
  const requires = new Set(['require']);
  const calls: Node[] = [];
  const handedOn: (Node | null | undefined)[] = [];
  const add = (kind: ImportKind, argument: unknown, start: number): void => {
    found.push({ kind, specifier: constantText(argument), start });
  };
  const isMaker = (node: Node | undefined): boolean =>
    node?.type === 'CallExpression' &&
    (isNamed(node.callee, 'createRequire') || node.callee?.property?.name === 'createRequire');
  const isRequire = (node: Node | undefined): boolean =>
    isMaker(node) || (node?.type === 'Identifier' && requires.has(String(node.name)));
  const alias = (target: Node | undefined, value: Node | null | undefined): void => {
    if (!value || !isRequire(unwrap(value))) return;
    if (target?.type === 'Identifier') requires.add(String(target.name));
    else handedOn.push(value);
  };

  new Visitor({
    ImportExpression: (node) => add('dynamic', node.source, node.start),
    TSImportType: (node) => add('type-only', node.source, node.start),
    TSExternalModuleReference: (node) => add('require', node.expression, node.start),
    NewExpression: (given) => {
      const node = given as Node;
      const [argument, base] = node.arguments ?? [];
      if (isNamed(node.callee, 'URL') && isMeta(base, 'url')) add('resolve', argument, node.start);
    },
    VariableDeclarator: (given) => alias((given as Node).id, (given as Node).init),
    AssignmentExpression: (given) => alias((given as Node).left, (given as Node).right),
    CallExpression: (given) => {
      calls.push(given as Node);
      handedOn.push(...((given as Node).arguments ?? []));
    },
    ReturnStatement: (given) => void handedOn.push((given as { argument: Node | null }).argument),
    ArrayExpression: (given) => void handedOn.push(...(given as { elements: Node[] }).elements),
    ObjectExpression: (given) => {
      const { properties } = given as { properties: { value?: Node }[] };
      handedOn.push(...properties.map((property) => property.value));
    },
  }).visit(program);

  for (const node of calls) {
    const callee = unwrap(node.callee);
    const argument = node.arguments?.[0];
    if (isRequire(callee)) add('require', argument, node.start);
    else if (callee?.type === 'MemberExpression' && isRequire(callee.object)) {
      if (callee.property?.name === 'resolve') add('resolve', argument, node.start);
    } else if (isMeta(callee, 'resolve')) add('resolve', argument, node.start);
  }
  for (const value of handedOn) {
    if (value?.type === 'Identifier' && requires.has(String(value.name))) {
      found.push({ kind: 'require', specifier: null, start: value.start });
    }
  }
  return found;
}
