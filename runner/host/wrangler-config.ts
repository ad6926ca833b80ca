import { parse } from 'smol-toml';
import { z } from 'zod';

/**
 * The part of wrangler.toml that this product uses. Strict, so that a binding of a kind that
 * nobody maps fails the build instead of being missing at run time.
 */
const wranglerConfig = z.strictObject({
  name: z.string(),
  main: z.string(),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()).default([]),
  assets: z.strictObject({
    directory: z.string(),
    binding: z.string(),
    not_found_handling: z.enum(['none', '404-page', 'single-page-application']).default('none'),
    run_worker_first: z.literal(true),
  }),
  d1_databases: z.array(
    z.strictObject({
      binding: z.string(),
      database_name: z.string(),
      database_id: z.string(),
      migrations_dir: z.string(),
    }),
  ),
  durable_objects: z.strictObject({
    bindings: z.array(z.strictObject({ name: z.string(), class_name: z.string() })),
  }),
  workflows: z
    .array(z.strictObject({ name: z.string(), binding: z.string(), class_name: z.string() }))
    .default([]),
  migrations: z.array(z.strictObject({ tag: z.string(), new_sqlite_classes: z.array(z.string()) })),
  vars: z.record(z.string(), z.string()).default({}),
  observability: z.unknown().optional(),
});

export type WranglerConfig = z.infer<typeof wranglerConfig>;

/** Reads wrangler.toml's text. Throws at a key that the embedded Worker would not honour. */
export function parseWranglerConfig(text: string): WranglerConfig {
  return wranglerConfig.parse(parse(text));
}

/**
 * The configuration as Miniflare takes it: what wrangler's own `unstable_getMiniflareWorkerOptions`
 * answers, which a test compares. Loading wrangler takes two of the five seconds that a first
 * start may last.
 */
export function miniflareOptionsOf(config: WranglerConfig): Record<string, unknown> {
  const compatibility = {
    compatibility_date: config.compatibility_date,
    compatibility_flags: config.compatibility_flags,
  };
  const sqliteClasses = new Set(config.migrations.flatMap((step) => step.new_sqlite_classes));
  return {
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    bindings: config.vars,
    d1Databases: Object.fromEntries(
      config.d1_databases.map(({ binding, database_id: id }) => [binding, { id }]),
    ),
    durableObjects: Object.fromEntries(
      config.durable_objects.bindings.map(({ name, class_name: className }) => [
        name,
        { className, useSQLite: sqliteClasses.has(className) },
      ]),
    ),
    workflows: Object.fromEntries(
      config.workflows.map(({ binding, name, class_name: className }) => [
        binding,
        { name, className },
      ]),
    ),
    assets: {
      binding: config.assets.binding,
      run_worker_first: config.assets.run_worker_first,
      routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
      assetConfig: { not_found_handling: config.assets.not_found_handling, ...compatibility },
    },
  };
}
