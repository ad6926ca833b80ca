/**
 * Builds the Worker into the directory named by the first argument. Run as a process of its own,
 * so that no build tool is loaded into the host.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE_MANIFEST, BUNDLE_SCRIPT, type Bundle } from './bundle.ts';
import { PRODUCT_ROOT } from './layout.ts';
import { splitMigration } from './migrations.ts';
import { miniflareOptionsOf, parseWranglerConfig } from './wrangler-config.ts';

const output = process.argv[2];
if (!output) throw new Error('usage: bundle-worker.ts DIRECTORY');

const config = parseWranglerConfig(readFileSync(join(PRODUCT_ROOT, 'wrangler.toml'), 'utf8'));

await build({
  entryPoints: [join(PRODUCT_ROOT, config.main)],
  outfile: join(output, BUNDLE_SCRIPT),
  bundle: true,
  format: 'esm',
  target: 'es2024',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['workerd', 'worker', 'browser'],
  // Modules that the runtime itself has.
  external: ['cloudflare:*', 'node:*'],
  sourcemap: 'linked',
  logLevel: 'error',
});

const directory = join(PRODUCT_ROOT, config.d1_databases[0]?.migrations_dir ?? '');
const names = readdirSync(directory).filter((name) => name.endsWith('.sql'));
const bundle: Bundle = {
  options: miniflareOptionsOf(config),
  migrations: names.toSorted().map((name) => ({
    name,
    statements: splitMigration(readFileSync(join(directory, name), 'utf8')),
  })),
};
writeFileSync(join(output, BUNDLE_MANIFEST), JSON.stringify(bundle));
