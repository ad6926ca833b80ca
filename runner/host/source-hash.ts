import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Hash of the contents and names of every file below the given paths, which may be files or
 * directories. Contents, not times: a fresh clone, a checkout of another branch and back, and an
 * unpacked archive all have the times of their copying.
 */
export function hashSources(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const file of listFiles(join(root, path))) {
      hash
        .update(`${relative(root, file)}\0`)
        .update(readFileSync(file))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

/** Every file below a path in a stable order; a path that does not exist has none. */
function listFiles(path: string): string[] {
  const kind = statSync(path, { throwIfNoEntry: false });
  if (!kind) return [];
  if (!kind.isDirectory()) return [path];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => listFiles(join(path, name)));
}
