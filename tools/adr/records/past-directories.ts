import { posix } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { CONFIG_NAMES, DEFAULT_DIRECTORIES, adrConfig } from '../config/schema.ts';
import { runGit } from '../tree/git.ts';
import { readBlobs, readKinds } from './git-objects.ts';

/**
 * The directories that were the one of the records in a commit of the range, as its configuration
 * or its folders said then. Paths are from git's top; `prefix` is the root's, with a slash at its
 * end or empty.
 */
export function readPastDirectories(root: string, prefix: string, range: string): string[] {
  const watched = [...CONFIG_NAMES, ...DEFAULT_DIRECTORIES].map((path) => `:(top)${prefix}${path}`);
  const log = runGit(root, ['log', '--full-history', '--format=%H %P', range, '--', ...watched]);
  const commits = [...new Set(log.split(/\s+/).filter(Boolean))];
  const names = commits.flatMap((commit) =>
    [...CONFIG_NAMES, ...DEFAULT_DIRECTORIES].map((path) => `${commit}:${prefix}${path}`),
  );
  const kinds = readKinds(root, names);
  const blobs = kinds.flatMap((kind) => (kind?.startsWith('blob ') ? [kind.slice(5)] : []));
  const texts = readBlobs(root, blobs);
  const width = CONFIG_NAMES.length + DEFAULT_DIRECTORIES.length;
  const found = commits.flatMap((_, index) => {
    const [...at] = kinds.slice(index * width, (index + 1) * width);
    const config = at.slice(0, CONFIG_NAMES.length).find((kind) => kind?.startsWith('blob '));
    const named = config ? directoryIn(texts.get(config.slice(5)) ?? '') : null;
    const usual = DEFAULT_DIRECTORIES.find((__, place) =>
      at[CONFIG_NAMES.length + place]?.startsWith('tree '),
    );
    return named ?? usual ?? [];
  });
  return [...new Set(found)].map((directory) => posix.join(prefix, directory));
}

/** What a configuration of the past names; one that cannot be read named nothing. */
function directoryIn(text: string): string | null {
  try {
    // JSON is YAML, so that one reader takes both.
    const parsed = adrConfig.safeParse(parseYaml(text.replace(/^\uFEFF/, '')));
    return parsed.success ? (parsed.data.directory ?? null) : null;
  } catch {
    return null;
  }
}
