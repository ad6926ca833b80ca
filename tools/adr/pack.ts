/**
 * Makes the tool's own npm package, without the rest of the product: `node tools/adr/pack.ts
 * DIRECTORY` writes a tarball there and prints its path. What the tool needs from npm stays a
 * dependency, in the versions of this repository; its own code is one file and one for threads.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import top from '../../package.json' with { type: 'json' };
import own from './package.json' with { type: 'json' };

const HERE = fileURLToPath(new URL('.', import.meta.url));
const TOP = join(HERE, '..', '..');

/** Bundles into a directory and returns the packages that stay outside. */
async function bundle(directory: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: { adr: join(HERE, 'main.ts'), worker: join(HERE, 'modules', 'worker.ts') },
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    banner: { js: '#!/usr/bin/env node' },
    metafile: true,
    logLevel: 'warning',
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const names = imports
    .filter((found) => found.external && !found.path.startsWith('node:'))
    .map((found) => /^(@[^/]+\/)?[^/]+/.exec(found.path)?.[0] ?? found.path);
  return [...new Set(names)].sort();
}

/** The versions of packages, as this repository has them. Throws for one that it does not have. */
function versionsOf(names: readonly string[]): Record<string, string> {
  const known: Record<string, string> = top.dependencies;
  return Object.fromEntries(
    names.map((name) => {
      const version = known[name];
      if (version === undefined) {
        throw new Error(
          `${name} is used by the tool and is no dependency in package.json. Add it.`,
        );
      }
      return [name, version];
    }),
  );
}

const target = resolve(process.argv[2] ?? 'dist');
const staging = mkdtempSync(join(tmpdir(), 'adr-pack-'));
try {
  const dependencies = versionsOf(await bundle(staging));
  const manifest = { ...own, files: ['*.mjs', 'README.md', 'LICENSE'], dependencies };
  writeFileSync(join(staging, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(TOP, 'LICENSE'), join(staging, 'LICENSE'));
  copyFileSync(join(HERE, 'README.md'), join(staging, 'README.md'));
  mkdirSync(target, { recursive: true });
  const args = ['pack', '--silent', '--pack-destination', target];
  const name = execFileSync('npm', args, { cwd: staging, encoding: 'utf8' }).trim();
  console.log(join(target, name));
} finally {
  rmSync(staging, { recursive: true, force: true });
}
