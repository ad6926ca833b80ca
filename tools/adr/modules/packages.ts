import { posix } from 'node:path';
import { z } from 'zod';
import { readText, type SourceTree } from '../tree/tree.ts';
import type { Packages, WorkspacePackage } from './resolve-js.ts';

export const MANIFEST_SECTIONS = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
] as const;

const section = z.record(z.string(), z.string()).optional().catch(undefined);
const manifest = z.object({
  name: z.string().optional(),
  dependencies: section,
  devDependencies: section,
  peerDependencies: section,
  optionalDependencies: section,
});

/**
 * The packages that a tree's manifests name. A manifest that cannot be read declares nothing; a
 * rule about it says so itself, and an import that nothing declares is not taken for a package.
 */
export function readPackages(tree: SourceTree): Packages {
  const own: WorkspacePackage[] = [];
  const renamed: { name: string; to: string }[] = [];
  const declared = new Set<string>();
  for (const path of tree.files) {
    if (posix.basename(path) !== 'package.json') continue;
    const parsed = manifest.safeParse(readJson(tree, path));
    if (!parsed.success) continue;
    if (parsed.data.name) own.push({ name: parsed.data.name, directory: posix.dirname(path) });
    for (const key of MANIFEST_SECTIONS) {
      for (const [name, version] of Object.entries(parsed.data[key] ?? {})) {
        declared.add(name);
        // Another name for a directory, or for another package of the same repository.
        const at = /^(?:file|link|portal):(.+)$/.exec(version)?.[1];
        if (at) own.push({ name, directory: posix.join(posix.dirname(path), at) });
        const to = /^(?:workspace|npm):(@?[^@\s]+)@/.exec(version)?.[1];
        if (to) renamed.push({ name, to });
        // Types of a package are declared under another name: `@types/scope__name`.
        const typed = /^@types\/(.+)$/.exec(name)?.[1];
        if (typed) declared.add(typed.includes('__') ? `@${typed.replace('__', '/')}` : typed);
      }
    }
  }
  const aliases = renamed.flatMap(({ name, to }) => {
    const meant = own.find((one) => one.name === to);
    return meant ? [{ name, directory: meant.directory }] : [];
  });
  return { own: [...own, ...aliases], declared };
}

function readJson(tree: SourceTree, path: string): unknown {
  try {
    return JSON.parse(readText(tree, path));
  } catch {
    return null;
  }
}
