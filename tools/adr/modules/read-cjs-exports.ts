import { type Program, Visitor } from 'oxc-parser';

type Node = {
  type: string;
  name?: unknown;
  value?: unknown;
  computed?: boolean;
  object?: Node;
  property?: Node;
  left?: Node;
  right?: Node;
  key?: Node;
  properties?: Node[];
};

const isNamed = (node: Node | undefined, name: string): boolean =>
  node?.type === 'Identifier' && node.name === name;

/** The name of a property: written plainly, or as a text in brackets. */
function nameOf(node: Node | undefined, computed: boolean | undefined): string[] {
  if (node?.type === 'Literal' && typeof node.value === 'string') return [node.value];
  return node?.type === 'Identifier' && !computed ? [String(node.name)] : [];
}

const isModuleExports = (node: Node | undefined): boolean =>
  node?.type === 'MemberExpression' &&
  isNamed(node.object, 'module') &&
  nameOf(node.property, node.computed)[0] === 'exports';

/**
 * The names that a CommonJS file gives to others: `exports.a = …`, `module.exports.a = …` and the
 * keys of `module.exports = { … }`. Names that are put there in other ways are not known.
 */
export function readCjsExports(program: Program): string[] {
  const names: string[] = [];
  new Visitor({
    AssignmentExpression: (given) => {
      const { left, right } = given as Node;
      if (left?.type !== 'MemberExpression') return;
      if (isModuleExports(left)) {
        const properties = right?.type === 'ObjectExpression' ? (right.properties ?? []) : [];
        names.push(...properties.flatMap((one) => nameOf(one.key, one.computed)));
      } else if (isNamed(left.object, 'exports') || isModuleExports(left.object)) {
        names.push(...nameOf(left.property, left.computed));
      }
    },
  }).visit(program);
  return names;
}
