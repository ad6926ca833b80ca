import { found } from '../finding.ts';
import { matcherOf } from '../tree/globs.ts';
import type { Demands } from './require.ts';
import type { RuleOf } from './schema.ts';

type ForEach = NonNullable<RuleOf<'require'>['forEach']>;

/** Every path that files of the tree lie in, with a slash at its end. */
function directoriesOf(files: readonly string[]): string[] {
  const all = new Set<string>();
  for (const path of files) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      all.add(path.slice(0, at + 1));
    }
  }
  return [...all];
}

/** What the first `*` of a glob stands for in each path that it matches, sorted. */
export function namesOf(each: string, files: readonly string[]): string[] {
  const isDirectory = each.endsWith('/');
  const glob = each.replace(/^\.\//, '').replace(/\/$/, '');
  const star = glob.indexOf('*');
  if (star === -1) return [];
  const matches = matcherOf([glob]);
  const paths = isDirectory ? directoriesOf(files).map((path) => path.slice(0, -1)) : files;
  // Braces before the star make a path of another length, with the star in the same segment.
  const before = glob.slice(0, star).split('/');
  const at = before.length - 1;
  const after = /^\*+([^*/]*)/.exec(glob.slice(star))?.[1] ?? '';
  const names = paths.filter(matches).map((path) => {
    const rest = (path.split('/')[at] ?? '').slice(before[at]?.length);
    return after !== '' && rest.endsWith(after) ? rest.slice(0, -after.length) : rest;
  });
  return [...new Set(names)].sort();
}

/** Demands files for each thing that a glob finds. Nothing found is nothing checked. */
export function checkForEach(rule: ForEach, reason: string, files: readonly string[]): Demands {
  const names = namesOf(rule.each, files).filter((name) => !rule.except.includes(name));
  const findings = names.flatMap((name) =>
    rule.files
      .map((glob) => glob.replaceAll('{name}', name))
      .filter((glob) => !files.some(matcherOf([glob])))
      .map((glob) =>
        found(
          { path: rule.each.replace(/^\.\//, '').replace(/\*+/, name).replace(/\/$/, '') },
          `${name} has no file ${glob}, and must. ${reason}`,
        ),
      ),
  );
  return { count: names.length, findings };
}
