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
  const declared = new Set<string>();
  for (const path of tree.files) {
    if (posix.basename(path) !== 'package.json') continue;
    const parsed = manifest.safeParse(readJson(tree, path));
    if (!parsed.success) continue;
    if (parsed.data.name) own.push({ name: parsed.data.name, directory: posix.dirname(path) });
    for (const key of MANIFEST_SECTIONS) {
      for (const name of Object.keys(parsed.data[key] ?? {})) {
        declared.add(name);
        // Types of a package are declared under another name: `@types/scope__name`.
        const typed = /^@types\/(.+)$/.exec(name)?.[1];
        if (typed) declared.add(typed.includes('__') ? `@${typed.replace('__', '/')}` : typed);
      }
    }
  }
  return { own, declared };
}

function readJson(tree: SourceTree, path: string): unknown {
  try {
    return JSON.parse(readText(tree, path));
  } catch {
    return null;
  }
}
