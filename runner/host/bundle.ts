import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What a build of the Worker leaves for the host to run. Written by `bundle-worker.ts`. */
const bundleSchema = z.object({
  /** Bindings and flags as Miniflare takes them, read from wrangler.toml. */
  options: z.record(z.string(), z.unknown()),
  /** The migrations in order, each cut into the statements that D1 runs one by one. */
  migrations: z.array(z.object({ name: z.string(), statements: z.array(z.string()) })),
});
export type Bundle = z.infer<typeof bundleSchema>;
export type Migration = Bundle['migrations'][number];

export const BUNDLE_SCRIPT = 'index.js';
export const BUNDLE_MANIFEST = 'bundle.json';

/** Reads a built Worker: its manifest and the path of its one module. */
export function readBundle(directory: string): Bundle & { script: string } {
  const manifest = bundleSchema.parse(
    JSON.parse(readFileSync(join(directory, BUNDLE_MANIFEST), 'utf8')),
  );
  return { ...manifest, script: join(directory, BUNDLE_SCRIPT) };
}
