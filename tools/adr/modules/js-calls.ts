import { type Program, Visitor } from 'oxc-parser';
import type { ImportKind } from '../rules/schema.ts';
import { constantText, isNamed, type Node, propertyName, unwrap } from './js-nodes.ts';
import { visitValues } from './js-values.ts';

export type ModuleCall = { kind: ImportKind; specifier: string | null; start: number };

/** Where `require` is a property that means the same. */
const HOLDERS = new Set(['module', 'globalThis', 'global']);
/** What `require` has beside a way to load: looking at it loads nothing. */
const HARMLESS = new Set(['main', 'cache', 'extensions', 'length', 'name']);

/** `import.meta` followed by a property of this name. */
function isMeta(node: Node | undefined, property: string): boolean {
  const object = unwrap(node?.object);
  const ofImport = object?.type === 'MetaProperty' && object.meta?.name === 'import';
  return ofImport && propertyName(node) === property;
}

/**
 * Finds the mentions of modules that are calls: dynamic imports, `require` and `require.resolve`
 * (also under names given by `createRequire` or an alias), `import.meta.resolve`, `new URL(…,
 * import.meta.url)`, and the TypeScript forms `import x = require(…)`, `import('…').T` and `declare
 * module`. `require` that is handed on as a value is a mention that cannot be followed.
 */
export function findCalls(program: Program): ModuleCall[] {
  const found: ModuleCall[] = [];
  const requires = new Set(['require']);
  const makers = new Set(['createRequire']);
  const calls: Node[] = [];
  const handedOn: (Node | null | undefined)[] = [];
  const add = (kind: ImportKind, argument: unknown, start: number): void => {
    found.push({ kind, specifier: constantText(argument), start });
  };
  const isIn = (node: Node | undefined, names: ReadonlySet<string>): boolean =>
    node?.type === 'Identifier' && names.has(String(node.name));
  const isMakerItself = (node: Node | undefined): boolean =>
    isIn(node, makers) || propertyName(node) === 'createRequire';
  const isRequire = (given: Node | undefined): boolean => {
    const node = unwrap(given);
    if (node?.type === 'CallExpression') return isMakerItself(unwrap(node.callee));
    if (propertyName(node) !== 'require') return isIn(node, requires);
    const holder = unwrap(node?.object);
    return isIn(holder, HOLDERS) || ['main', 'mainModule'].includes(propertyName(holder) ?? '');
  };
  const alias = (target: Node | undefined, value: Node | null | undefined): void => {
    const source = unwrap(value);
    const isName = target?.type === 'Identifier';
    if (isName && isMakerItself(source)) makers.add(String(target.name));
    if (!isRequire(source)) return;
    if (isName) requires.add(String(target.name));
    else handedOn.push(source);
  };

  new Visitor({
    ImportExpression: (node) => add('dynamic', node.source, node.start),
    TSImportType: (node) => add('type-only', node.source, node.start),
    TSExternalModuleReference: (node) => add('require', node.expression, node.start),
    TSModuleDeclaration: (given) => {
      const { id, start } = given as unknown as Node;
      // `declare module 'name'` tells of a package; a path adds to the module that is there.
      if (constantText(id)?.startsWith('.')) add('type-only', id, start);
    },
    ExportNamedDeclaration: (node) => {
      // With names in it, it stands in the parser's own list.
      if (node.source && node.specifiers.length === 0) add('re-export', node.source, node.start);
    },
    ImportSpecifier: ({ imported, local }) => {
      if (imported.type === 'Identifier' && imported.name === 'createRequire')
        makers.add(local.name);
    },
    NewExpression: (given) => {
      const node = given as Node;
      const [argument, base] = node.arguments ?? [];
      if (isNamed(node.callee, 'URL') && isMeta(base, 'url')) add('resolve', argument, node.start);
    },
    CallExpression: (given) => void calls.push(given as Node),
    ObjectPattern: (given) => {
      const { properties } = given as { properties: { key?: Node; value?: Node }[] };
      for (const { key, value } of properties) {
        if (isNamed(key, 'createRequire') && value?.type === 'Identifier') {
          makers.add(String(value.name));
        }
      }
    },
  }).visit(program);
  visitValues(program, { alias, handedOn: (...values) => void handedOn.push(...values) });

  for (const node of calls) {
    const callee = unwrap(node.callee);
    const argument = node.arguments?.[0];
    if (isRequire(callee)) add('require', argument, node.start);
    else if (callee?.type === 'MemberExpression' && isRequire(callee.object)) {
      const name = propertyName(callee);
      if (name === 'resolve') add('resolve', argument, node.start);
      else if (!HARMLESS.has(name ?? '')) add('require', null, node.start);
    } else if (isMeta(callee, 'resolve')) add('resolve', argument, node.start);
  }
  for (const value of handedOn) {
    const node = unwrap(value);
    if (node?.type !== 'CallExpression' && isRequire(node)) {
      found.push({ kind: 'require', specifier: null, start: node?.start ?? 0 });
    }
  }
  return found;
}
