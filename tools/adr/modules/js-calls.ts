import { type Program, Visitor } from 'oxc-parser';
import type { ImportKind } from '../rules/schema.ts';
import { collectBindings } from './js-bindings.ts';
import { collectLoaders, isPath } from './js-loaders.ts';
import { constantText, isNamed, type Node, propertyName, unwrap } from './js-nodes.ts';
import { isMeta, type StaticPath, staticPaths } from './js-paths.ts';
import { valuesVisitor } from './js-values.ts';
import { mergeVisitors } from './js-visitors.ts';
import type { ModuleRef } from './types.ts';

export type ModuleCall = Pick<ModuleRef, 'kind' | 'specifier' | 'meaning'> & { start: number };

/** Where `require` is a property that means the same. */
const HOLDERS = new Set(['module', 'globalThis', 'global']);
/** Properties that are a module, whose `require` means the same. */
const OF_MODULES = new Set(['main', 'mainModule', 'parent', 'prototype']);
/** What `require` has beside a way to load: looking at it loads nothing. */
const HARMLESS = new Set(['main', 'cache', 'length', 'name']);

/**
 * Finds the mentions of modules that are calls: dynamic imports, `require` and `require.resolve`
 * (also under names given by `createRequire` or an alias), `import.meta.resolve`, `new URL(…,
 * import.meta.url)`, `import.meta.glob`, workers, forked processes, and the TypeScript forms
 * `import x = require(…)`, `import('…').T` and `declare module`. What loads and is handed on as a
 * value is a mention that cannot be followed.
 */
export function findCalls(program: Program): ModuleCall[] {
  const found: ModuleCall[] = [];
  const requires = new Set(['require']);
  const makers = new Set(['createRequire']);
  const calls: Node[] = [];
  const urls: Node[] = [];
  const handedOn: (Node | null | undefined)[] = [];
  const bindings = collectBindings();
  const loaders = collectLoaders();

  /** Adds what an argument names. In `process` a bare path counts from where the program began. */
  const add = (kind: ImportKind, given: unknown, start: number, base = 'file'): void => {
    const paths = staticPaths(given as Node | undefined, bindings.valueOf);
    if (!paths) found.push({ kind, specifier: null, start });
    for (const path of paths ?? []) found.push({ kind, ...meantBy(path, base), start });
  };
  const isIn = (node: Node | undefined, names: ReadonlySet<string>): boolean =>
    node?.type === 'Identifier' && names.has(String(node.name));
  const isMakerItself = (node: Node | undefined): boolean =>
    isIn(node, makers) || propertyName(node) === 'createRequire';
  const isRequire = (given: Node | undefined): boolean => {
    const node = unwrap(given);
    if (node?.type === 'CallExpression') return isMakerItself(unwrap(node.callee));
    if (isMeta(node, 'require')) return true;
    if (propertyName(node) !== 'require') return isIn(node, requires);
    const holder = unwrap(node?.object);
    return isIn(holder, HOLDERS) || OF_MODULES.has(propertyName(holder) ?? '');
  };
  const alias = (target: Node | undefined, value: Node | null | undefined): void => {
    const source = unwrap(value);
    const isName = target?.type === 'Identifier';
    if (isName && isMakerItself(source)) makers.add(String(target.name));
    if (loaders.alias(target, source)) return;
    if (isName && isRequire(source)) requires.add(String(target.name));
    else handedOn.push(source);
  };

  new Visitor(
    mergeVisitors(
      bindings.visitor,
      loaders.visitor,
      valuesVisitor({ alias, handedOn: (...values) => void handedOn.push(...values) }),
      {
        ImportExpression: (node) => void calls.push(node as Node),
        TSImportType: (node) => add('type-only', node.source, node.start),
        TSExternalModuleReference: (node) => add('require', node.expression, node.start),
        TSModuleDeclaration: (given) => {
          const { id, start, body } = given as unknown as Node;
          addAmbient(body);
          // `declare module 'name'` tells of a package; a path adds to the module that is there.
          if (constantText(id)?.startsWith('.')) add('type-only', id, start);
        },
        ExportNamedDeclaration: (node) => {
          // With names in it, it stands in the parser's own list.
          if (node.source && node.specifiers.length === 0) {
            add('re-export', node.source, node.start);
          }
        },
        ImportSpecifier: ({ imported, local }) => {
          if (imported.type === 'Identifier' && imported.name === 'createRequire')
            makers.add(local.name);
        },
        NewExpression: (given) => {
          const node = given as Node;
          const [, base] = node.arguments ?? [];
          if (isNamed(node.callee, 'URL') && isMeta(unwrap(base), 'url')) urls.push(node);
          else calls.push(node);
        },
        CallExpression: (given) => void calls.push(given as Node),
        ObjectPattern: (given) => {
          const { properties } = given as { properties: { key?: Node; value?: Node }[] };
          for (const { key, value } of properties) {
            if (value?.type !== 'Identifier') continue;
            if (isNamed(key, 'createRequire')) makers.add(String(value.name));
            if (isNamed(key, 'require')) requires.add(String(value.name));
          }
        },
      },
    ),
  ).visit(program);

  /** The places of addresses that are told already, as the argument of what loads them. */
  const told: [number, number][] = [];
  for (const node of calls) {
    const callee = unwrap(node.callee);
    const argument = node.arguments?.[0];
    const load = loaders.loadOf(node);
    if (node.type === 'ImportExpression') {
      add('dynamic', node.source, node.start);
      if (node.source) told.push([node.source.start, node.source.end]);
    } else if (load) {
      add('dynamic', load.argument, node.start, load.base);
      if (argument) told.push([argument.start, argument.end]);
    } else if (node.type === 'NewExpression') continue;
    else if (isRequire(callee)) add('require', argument, node.start);
    else if (callee?.type === 'MemberExpression' && isRequire(callee.object)) {
      const name = propertyName(callee);
      if (name === 'resolve') add('resolve', argument, node.start);
      else if (!HARMLESS.has(name ?? '')) add('require', null, node.start);
    } else if (isExtension(callee)) add('require', null, node.start);
    else if (propertyName(callee) === 'require' && isPath(constantText(argument) ?? ''))
      // Whatever has a `require` that is given a path: a module under another name.
      add('require', argument, node.start);
    else if (isMeta(callee, 'resolve')) add('resolve', argument, node.start);
    else if (isMeta(callee, 'glob') || isMeta(callee, 'globEager')) addGlobs(argument, node.start);
  }
  for (const { start, arguments: [argument] = [] } of urls) {
    if (!told.some(([from, to]) => from <= start && start < to)) add('resolve', argument, start);
  }
  for (const value of handedOn) {
    const node = unwrap(value);
    const loads = loaders.isLoader(node) || (node?.type !== 'CallExpression' && isRequire(node));
    if (loads) found.push({ kind: 'require', specifier: null, start: node?.start ?? 0 });
  }
  for (const { start } of loaders.passedOn) found.push({ kind: 'dynamic', specifier: null, start });
  return found;

  /** `require.extensions['.js'](module, path)`, which reads a file and runs it. */
  function isExtension(callee: Node | undefined): boolean {
    const holder = unwrap(callee?.object);
    return propertyName(holder) === 'extensions' && isRequire(holder?.object);
  }

  /** What is imported inside of `declare module 'name' { … }` stands in no list of the parser. */
  function addAmbient(body: Node | Node[] | undefined): void {
    const inner = body && !Array.isArray(body) && body.type === 'TSModuleBlock' ? body.body : [];
    for (const { type, source, specifiers, start } of Array.isArray(inner) ? inner : []) {
      const isTold = type === 'ExportNamedDeclaration' && specifiers?.length === 0;
      if (source && !isTold) add('type-only', source, start);
    }
  }

  /** Vite loads every file that the patterns match; what they leave out is not left out here. */
  function addGlobs(given: Node | undefined, start: number): void {
    const node = unwrap(given);
    const patterns = node?.type === 'ArrayExpression' ? (node.elements ?? []) : [node];
    for (const pattern of patterns) {
      const specifier = constantText(pattern);
      if (specifier?.startsWith('!')) continue;
      found.push({ kind: 'dynamic', specifier, meaning: 'pattern', start });
    }
  }
}

/** A path as a mention of a module, with where it counts from. */
function meantBy(path: StaticPath, base: string): Pick<ModuleCall, 'specifier' | 'meaning'> {
  const { text } = path;
  if (path.base === 'itself') return { specifier: null };
  const fromProcess = path.base === 'process' || (path.base === 'text' && base === 'process');
  const written = path.base === 'text' && base === 'file';
  const specifier = written || /^[./]/.test(text) ? text : `./${text}`;
  return fromProcess ? { specifier, meaning: 'from-process' } : { specifier };
}
