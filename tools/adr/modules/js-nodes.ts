/** As much of a node of the tree of a JavaScript file as is looked at here. */
export type Node = {
  type: string;
  start: number;
  end: number;
  name?: unknown;
  value?: unknown;
  operator?: unknown;
  computed?: unknown;
  body?: Node | Node[];
  left?: Node;
  right?: Node;
  object?: Node;
  property?: Node;
  callee?: Node;
  expression?: Node;
  meta?: Node;
  id?: Node;
  init?: Node | null;
  argument?: Node | null;
  arguments?: Node[];
  source?: Node | null;
  specifiers?: unknown[];
  consequent?: Node;
  alternate?: Node;
  elements?: (Node | null)[];
  key?: Node;
  param?: Node | null;
  parameter?: Node;
  params?: Node[];
  properties?: Property[];
  expressions?: Node[];
  quasis?: { value: { cooked?: string | null } }[];
};

/** A property of an object or of a pattern; a rest of them is a node of its own. */
export type Property = Omit<Node, 'value'> & { value?: Node };

const WRAPPERS = new Set([
  'ParenthesizedExpression',
  'ChainExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
]);

/** An expression without parentheses and assertions of its type. */
export const unwrap = (node: Node | null | undefined): Node | undefined =>
  node && WRAPPERS.has(node.type) ? unwrap(node.expression) : (node ?? undefined);

export const isNamed = (node: Node | undefined, name: string): boolean =>
  node?.type === 'Identifier' && node.name === name;

/** The text that an expression always has: literals, templates without holes, sums of them. */
export function constantText(given: unknown): string | null {
  const node = unwrap(given as Node | undefined);
  if (!node) return null;
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type === 'TemplateLiteral') {
    return node.expressions?.length === 0 ? (node.quasis?.[0]?.value.cooked ?? null) : null;
  }
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const left = constantText(node.left);
    const right = constantText(node.right);
    return left === null || right === null ? null : left + right;
  }
  return null;
}

/** The key of a property, written plainly or as a text; null where it is computed. */
export const propertyKey = ({ key, computed }: Property): string | null =>
  key?.type === 'Identifier' && !computed ? String(key.name) : constantText(key);

/** The name that `a.name` and `a['name']` ask for; null where it is computed. */
export function propertyName(given: Node | undefined): string | null {
  const node = unwrap(given);
  if (node?.type !== 'MemberExpression') return null;
  return node.computed ? constantText(node.property) : String(node.property?.name);
}
