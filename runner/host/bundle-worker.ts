/**
 * Builds the Worker into the directory named by the first argument. Run as a process of its own:
 * wrangler takes over a second to load, and the host never loads it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from 'wrangler';
import { BUNDLE_MANIFEST, BUNDLE_SCRIPT, type Bundle } from './bundle.ts';
import { PRODUCT_ROOT } from './layout.ts';

const output = process.argv[2];
if (!output) throw new Error('usage: bundle-worker.ts DIRECTORY');

const { workerOptions, main } = unstable_getMiniflareWorkerOptions(
  join(PRODUCT_ROOT, 'wrangler.toml'),
);
if (!main) throw new Error('wrangler.toml names no main module');

await build({
  entryPoints: [main],
  outfile: join(output, BUNDLE_SCRIPT),
  bundle: true,
  format: 'esm',
  target: 'es2024',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['workerd', 'worker', 'browser'],
  external: ['cloudflare:*', 'node:*'],
  loader: { '.sql': 'text', '.txt': 'text', '.html': 'text' },
  sourcemap: 'linked',
  logLevel: 'error',
});

// The host says where the console lies, because a path of this machine does not belong in a file
// that is copied with the product.
const { assets, rootPath: _rootPath, ...options } = workerOptions;
const bundle: Bundle = {
  options: assets ? { ...options, assets: Object.assign({}, assets, { directory: '' }) } : options,
  migrations: listMigrations(join(PRODUCT_ROOT, 'migrations')),
};
writeFileSync(join(output, BUNDLE_MANIFEST), JSON.stringify(bundle));

function listMigrations(directory: string): Bundle['migrations'] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.sql'));
  return names.toSorted().map((name) => ({
    name,
    statements: unstable_splitSqlQuery(readFileSync(join(directory, name), 'utf8')),
  }));
}
