import { z } from 'zod';

/** What `.adr.json` or `.adr.yaml` at the top of a repository may say. */
export const adrConfig = z.strictObject({
  /** Where the records are, from the top of the repository. */
  directory: z.string().min(1).optional(),
  /** The form that `new` writes. */
  style: z.enum(['madr', 'nygard']).default('madr'),
  /** Globs of files that no rule looks at, such as vendored code. */
  exclude: z.array(z.string()).default([]),
  /**
   * Whether numbers follow each other without a gap. `unique` is for a repository in which several
   * people write records at the same time, each under a number that was given out beforehand.
   */
  numbering: z.enum(['sequential', 'unique']).default('sequential'),
  /**
   * A commit: what happened to records up to it is taken as it is. For a repository that adopts
   * the checks with records that were rewritten in the past.
   */
  baseline: z.string().optional(),
});
export type AdrConfig = z.infer<typeof adrConfig>;

export const CONFIG_NAMES = ['.adr.json', '.adr.yaml', '.adr.yml'] as const;

/** Where records are looked for when no configuration says it, in this order. */
export const DEFAULT_DIRECTORIES = [
  'docs/adr',
  'docs/decisions',
  'doc/adr',
  'docs/architecture/decisions',
  'adr',
] as const;
