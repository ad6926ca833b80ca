import { realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { type NapiResolveOptions, ResolverFactory } from 'oxc-resolver';

/** A package of the same repository: its name, and where it is from the root. */
export type WorkspacePackage = { name: string; directory: string };

/** The packages of a tree: its own ones, and every name that a manifest declares. */
export type Packages = { own: readonly WorkspacePackage[]; declared: ReadonlySet<string> };

/** `known` is false where nothing tells what is meant, as with an alias of a bundler. */
export type Resolved = { targets: string[]; packageName: string | null; known: boolean };

/** Resolves what a file mentions; a path can be meant from where the program is started. */
export type JsResolver = (from: string, specifier: string, fromProcess?: boolean) => Resolved;

const OPTIONS: NapiResolveOptions = {
  extensions: ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'],
  // TypeScript lets an import name the file that the compiler would write.
  extensionAlias: {
    '.js': ['.ts', '.tsx', '.js', '.jsx'],
    '.mjs': ['.mts', '.mjs'],
    '.cjs': ['.cts', '.cjs'],
    '.jsx': ['.tsx', '.jsx'],
  },
  conditionNames: ['types', 'node', 'import', 'require', 'default'],
  mainFields: ['types', 'module', 'main'],
  tsconfig: 'auto',
};

/** The package that a bare specifier names: `@scope/name`, `name`, or `node:name` for a built-in. */
export function packageOf(specifier: string): string {
  if (isBuiltin(specifier)) return specifier.startsWith('node:') ? specifier : `node:${specifier}`;
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

/**
 * Resolves what JavaScript and TypeScript files mention, as Node and the compiler do: relative
 * paths, `paths` of the nearest tsconfig, `imports` and `exports` of package.json, and packages of
 * the same repository also when nothing is installed.
 */
export function createJsResolver(given: string, packages: Packages): JsResolver {
  // What an import leads to is told by its real path, so the root has to be one as well.
  const root = realpathSync(given);
  const resolver = new ResolverFactory(OPTIONS);
  /** A path of the tree; `package` for an installed one; null where nothing was found. */
  const resolveAt = (from: string, specifier: string): string | null => {
    const { path } = resolver.resolveFileSync(from, specifier);
    if (path === undefined) return null;
    const inside = relative(root, path).split(sep);
    return inside[0] === '..' || inside.includes('node_modules') ? INSTALLED : inside.join('/');
  };

  function resolve(from: string, written: string): Resolved {
    // A query or fragment belongs to a bundler; the file is the same.
    const specifier = written.replace(/(?<=.)[?#].*$/s, '');
    const name = packageOf(specifier);
    const ofPackage = { targets: [], packageName: name, known: true };
    // An address of this machine is another one on the next; a program in a text imports by itself.
    if (/^(?:file:|data:(?:text|application)\/(?:javascript|ecmascript))/i.test(specifier))
      return { targets: [], packageName: null, known: false };
    if (isBuiltin(specifier) || /^[a-z]+:/.test(specifier)) return ofPackage;
    const file = join(root, from);
    const found = resolveAt(file, specifier) ?? resolveOther(file, specifier);
    if (found === INSTALLED) return ofPackage;
    const bare = !/^[./#]/.test(specifier);
    const own = bare ? packages.own.find((one) => one.name === name) : undefined;
    if (found !== null) return { targets: [found], packageName: own?.name ?? null, known: true };
    if (own) return { targets: [inPackage(own, specifier)], packageName: own.name, known: true };
    if (bare) return { ...ofPackage, known: packages.declared.has(name) };
    if (specifier.startsWith('#')) return { targets: [], packageName: null, known: false };
    // A file that is not there is still meant; rules about absent modules compare its path.
    const base = specifier.startsWith('/') ? root : dirname(file);
    const lexical = relative(root, join(base, specifier)).split(sep).join('/');
    return { targets: lexicalTargets(lexical), packageName: null, known: true };
  }

  /** Directories that a program is started in: the top, and those of the packages around a file. */
  function startsOf(from: string): string[] {
    const around = packages.own
      .map(({ directory }) => directory)
      .filter((directory) => directory !== '.' && from.startsWith(`${directory}/`));
    return ['.', ...around];
  }

  /**
   * A path that counts from where the program is started means any of the files that it can mean,
   * and beside the file that says it too, as bundlers take it.
   */
  function resolveFromProcess(from: string, specifier: string): Resolved {
    const origins = [from, ...startsOf(from).map((at) => posix.join(at, 'package.json'))];
    const all = origins.map((origin) => resolve(origin, specifier));
    return { ...all[0], targets: [...new Set(all.flatMap((one) => one.targets))] } as Resolved;
  }

  return (from: string, specifier: string, fromProcess = false): Resolved =>
    fromProcess ? resolveFromProcess(from, specifier) : resolve(from, specifier);

  /** Other ways of writing a path: from the top, as for bundlers; as an address; as on Windows. */
  function resolveOther(from: string, specifier: string): string | null {
    if (specifier.startsWith('/')) return resolveAt(join(root, 'package.json'), `.${specifier}`);
    const plain = decoded(specifier).replaceAll('\\', '/');
    return plain === specifier || !plain.startsWith('.') ? null : resolveAt(from, plain);
  }

  function inPackage(own: WorkspacePackage, specifier: string): string {
    // From inside, a package may name itself by its `exports`; else its files are plain paths.
    const inside = join(root, own.directory, 'package.json');
    const path = `.${specifier.slice(own.name.length)}`;
    return (
      resolveAt(inside, specifier) ??
      resolveAt(inside, path) ??
      posix.join(own.directory, path === '.' ? 'index' : path)
    );
  }
}

const INSTALLED = 'node_modules';

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** The paths that a specifier of an absent file can stand for. */
function lexicalTargets(path: string): string[] {
  const stem = path.replace(/\.(js|mjs|cjs|jsx)$/, '');
  if (stem === path && /\.[a-z]+$/.test(path)) return [path];
  return [path, ...['.ts', '.tsx', '.mts', '.cts', '.js'].map((ending) => stem + ending)];
}
