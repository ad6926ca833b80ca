import picomatch from 'picomatch';

export type Matcher = (path: string) => boolean;

/**
 * Compiles globs as picomatch reads them, hidden files included. A glob that ends in a slash is
 * everything below that directory.
 */
export function matcherOf(globs: readonly string[]): Matcher {
  if (globs.length === 0) return () => false;
  const tests = globs.map((glob) =>
    picomatch(glob.replace(/^\.\//, '').replace(/\/$/, '/**'), { dot: true }),
  );
  return (path) => tests.some((test) => test(path));
}

/** Files in one set of globs and not in another. */
export function selectionOf(globs: readonly string[], except: readonly string[]): Matcher {
  const inside = matcherOf(globs);
  const outside = matcherOf(except);
  return (path) => inside(path) && !outside(path);
}

/** Whether globs match whatever there is, as far as names that nobody gives can tell. */
export const matchesEverything = (matches: Matcher): boolean =>
  ['~', '~/~', '~/~/~.~'].every(matches);
