import type { VisitorObject } from 'oxc-parser';
import { takenFrom } from './js-bindings.ts';
import { constantText, isNamed, type Node, propertyKey, propertyName, unwrap } from './js-nodes.ts';

/**
 * Functions of Node that load the module that they are given: `file` where a path counts from the
 * file that says it, `process` where it counts from the directory that the program was started in.
 */
const LOADERS: Readonly<Record<string, Readonly<Record<string, 'file' | 'process'>>>> = {
  child_process: { fork: 'process' },
  worker_threads: { Worker: 'process' },
  module: { register: 'file', _load: 'file', runMain: 'process' },
  cluster: { setupPrimary: 'process', setupMaster: 'process' },
};
const WORKERS = ['Worker', 'SharedWorker'];
/** Objects of a test runner or a browser, with what of them loads a module. */
const HELD: Readonly<Record<string, readonly string[]>> = {
  vi: ['importActual', 'importMock'],
  vitest: ['importActual', 'importMock'],
  jest: ['requireActual', 'createMockFromModule'],
  serviceWorker: ['register'],
  audioWorklet: ['addModule'],
  paintWorklet: ['addModule'],
};

/** Words of which a file that calls such a function holds one. */
export const LOADER_WORDS =
  /\b(?:Shared)?Worker\b|child_process|worker_threads|['"](?:node:)?(?:module|cluster)['"]|\b_load\b|importScripts|serviceWorker|Worklet|Actual\b|importMock|createMockFromModule|getBuiltinModule/;

export type Loader = { base: 'file' | 'process'; argument: Node | undefined };
export type Loaders = {
  visitor: VisitorObject;
  /** The load that a call or `new` is; null for any other. Known after the visit. */
  loadOf(node: Node): Loader | null;
  isLoader(node: Node | null | undefined): boolean;
  /** A name that is given to a value, which it then stands for. */
  alias(target: Node | undefined, value: Node | undefined): boolean;
  /** Loaders that a file passes on to others, where nobody sees what is loaded. */
  passedOn: Node[];
};

const moduleNamed = (text: string | null): string | null => {
  const name = text?.replace(/^node:/, '') ?? '';
  return Object.hasOwn(LOADERS, name) ? name : null;
};

/** Knows what in a file loads modules beside `import` and `require`. */
export function collectLoaders(): Loaders {
  const spaces = new Map<string, string>();
  const named = new Map<string, 'file' | 'process'>(WORKERS.map((name) => [name, 'process']));
  const passedOn: Node[] = [];

  /** What an expression takes a module from by its name: `require('…')`, `await import('…')`. */
  function sourceOf(given: Node | null | undefined): string | null {
    const node = unwrap(given);
    switch (node?.type) {
      case 'AwaitExpression':
        return sourceOf(node.argument);
      case 'ImportExpression':
        return constantText(node.source);
      case 'CallExpression': {
        const callee = unwrap(node.callee);
        const gives = isNamed(callee, 'require') || propertyName(callee) === 'getBuiltinModule';
        return gives ? constantText(node.arguments?.[0]) : null;
      }
      default:
        return null;
    }
  }

  /** The module of Node that an expression is. */
  function moduleOf(given: Node | null | undefined): string | null {
    const node = unwrap(given);
    if (node?.type === 'Identifier') return spaces.get(String(node.name)) ?? null;
    const isDefault = propertyName(node) === 'default';
    return isDefault ? moduleOf(node?.object) : moduleNamed(sourceOf(node));
  }

  function baseOf(given: Node | null | undefined): 'file' | 'process' | null {
    const node = unwrap(given);
    if (node?.type === 'Identifier') return named.get(String(node.name)) ?? null;
    const property = propertyName(node);
    if (node?.type !== 'MemberExpression' || property === null) return null;
    const space = moduleOf(node.object);
    if (space !== null) return LOADERS[space]?.[property] ?? null;
    const holder = unwrap(node.object);
    const isGlobal = ['globalThis', 'self', 'window', 'global'].some((one) => isNamed(holder, one));
    return isGlobal && WORKERS.includes(property) ? 'process' : null;
  }

  /** What is known of a name that comes from elsewhere: a package's own `Worker` loads nothing. */
  function take(module: string | null, from: string, to: string): void {
    const base = module === null ? undefined : LOADERS[module]?.[from];
    if (base) named.set(to, base);
    else if (module !== null && from === 'default') spaces.set(to, module);
    else named.delete(to);
  }

  return {
    passedOn,
    isLoader: (node) => baseOf(node) !== null,
    alias: (target, value) => {
      const space = moduleOf(value);
      const base = baseOf(value);
      if (target?.type === 'Identifier') {
        if (space !== null) spaces.set(String(target.name), space);
        if (base !== null) named.set(String(target.name), base);
        return space !== null || base !== null;
      }
      if (space === null && !isForeign(sourceOf(value))) return false;
      for (const { from, to } of takenFrom(target)) take(space, from, to);
      return true;
    },
    visitor: {
      ImportDeclaration: (given) => {
        const source = constantText(given.source);
        const module = moduleNamed(source);
        if (module === null && !isForeign(source)) return;
        for (const { type, imported, local } of given.specifiers as Specifier[]) {
          const name = imported?.name ?? imported?.value ?? 'default';
          if (type !== 'ImportSpecifier' && module !== null) spaces.set(String(local.name), module);
          else take(module, name, String(local.name));
        }
      },
      ExportNamedDeclaration: (given) => {
        const module = moduleNamed(constantText(given.source));
        const names = given.specifiers.map(({ local }) => String((local as Node).name));
        if (module && names.some((name) => LOADERS[module]?.[name])) passedOn.push(given);
      },
      ExportAllDeclaration: (given) => {
        if (moduleNamed(constantText(given.source))) passedOn.push(given);
      },
      ClassDeclaration: ({ id }) => void (id && named.delete(id.name)),
      FunctionDeclaration: ({ id }) => void (id && named.delete(id.name)),
    },
    loadOf: (node) => {
      const callee = unwrap(node.callee);
      const [argument] = node.arguments ?? [];
      if (isNamed(callee, 'importScripts')) return { base: 'process', argument };
      const holder = unwrap(callee?.object);
      const held = holder?.type === 'Identifier' ? String(holder.name) : propertyName(holder);
      const method = propertyName(callee);
      // Only a class of modules has it, under whatever name: `module.constructor._load('a')`.
      if (method === '_load') return { base: 'file', argument };
      if (method && held && Object.hasOwn(HELD, held) && HELD[held]?.includes(method)) {
        return { base: held.endsWith('Worker') ? 'process' : 'file', argument };
      }
      const base = baseOf(callee);
      if (base === null || !argument || isCode(node)) return null;
      if (argument?.type === 'ObjectExpression') return loadOfOptions(argument, base);
      // `new Worker('queue')` of another kind: a name, and no path that Node or a browser takes.
      const text = constantText(argument);
      return text !== null && base === 'process' && !isPath(text) ? null : { base, argument };
    },
  };
}

type Specifier = { type: string; imported?: { name?: string; value?: string }; local: Node };

/** A package, whose `Worker` is its own. What a file of the tree passes on may be the real one. */
const isForeign = (source: string | null): boolean =>
  source !== null && /^(?:@[\w-]+\/|[\w-])/.test(source);
/** Whether a text is written as a path. */
export const isPath = (text: string): boolean => /^[./]|\.[cm]?[jt]sx?(?:[?#]|$)/.test(text);

/** `cluster.setupPrimary({ exec })`; the options without `exec` load the program that runs already. */
function loadOfOptions(options: Node, base: Loader['base']): Loader | null {
  const exec = options.properties?.find((one) => propertyKey(one) === 'exec');
  if (exec) return { base, argument: exec.value };
  const isSpread = options.properties?.some(({ type }) => type === 'SpreadElement');
  return isSpread ? { base, argument: options } : null;
}

/** `new Worker(code, { eval: true })`: the argument is the program itself. */
function isCode(node: Node): boolean {
  const options = node.arguments?.[1];
  return (options?.properties ?? []).some(
    (one) => isNamed(one.key, 'eval') && (one.value as { value?: unknown })?.value === true,
  );
}
