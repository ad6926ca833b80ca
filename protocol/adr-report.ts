import { z } from 'zod';

/**
 * What a check of decision records found: the `--json` output of `pilothouse adr check`, the input
 * of its other formats, and what a build posts to the console. One shape, so that no two of them
 * can tell different things.
 */
export const ADR_REPORT_FORMAT = 1;

/** What a record can say of itself. */
export const adrSaidStatus = z.enum([
  'proposed',
  'accepted',
  'rejected',
  'deprecated',
  'superseded',
]);
export type AdrSaidStatus = z.infer<typeof adrSaidStatus>;

/** `unknown`: the record says none, or cannot be read, so it is none of the others. */
export const adrStatus = z.enum([...adrSaidStatus.options, 'unknown']);
export type AdrStatus = z.infer<typeof adrStatus>;

export const adrRuleKind = z.enum([
  'imports',
  'layers',
  'forbid',
  'require',
  'dependencies',
  'command',
  'review',
  'advisory',
]);
export type AdrRuleKind = z.infer<typeof adrRuleKind>;

/** A place in a file; lines and columns count from 1. `path` is relative to the checked root, with `/`. */
export const adrPlace = z.object({
  path: z.string(),
  line: z.number().int().positive().nullable(),
  column: z.number().int().positive().nullable(),
});
export type AdrPlace = z.infer<typeof adrPlace>;

/** A row of a record that lets one finding stand, until a day and on somebody's word. */
export const adrWaiver = z.object({ owner: z.string(), reason: z.string(), expires: z.iso.date() });
export type AdrWaiver = z.infer<typeof adrWaiver>;

export const adrFinding = z.object({
  /** Null where the whole change or tree is meant. */
  place: adrPlace.nullable(),
  /** What is wrong and what to do, as a sentence. */
  message: z.string(),
  excerpt: z.string().nullable(),
  waiver: adrWaiver.nullable(),
  /** That it could not be decided: an unreadable record, a computed import. Absent where it is known. */
  uncertain: z.literal(true).optional(),
});
export type AdrFinding = z.infer<typeof adrFinding>;

/** `skipped`: not looked at in this mode (an unchanged area in change-only mode), and why in `note`. */
export const adrRuleState = z.enum(['passed', 'violated', 'could_not_check', 'skipped']);
export type AdrRuleState = z.infer<typeof adrRuleState>;

/**
 * What trying a rule's own fixtures gave (`check --prove`): `unproven` has none, `failed` let one
 * through.
 */
export const adrProof = z.object({
  state: z.enum(['proven', 'unproven', 'failed']),
  fixtures: z.number().int().nonnegative(),
  caught: z.number().int().nonnegative(),
});

export const adrRuleResult = z.object({
  id: z.string(),
  kind: adrRuleKind,
  level: z.enum(['enforced', 'advisory']),
  reason: z.string(),
  /** The size of what was looked at: a rule that examined nothing has checked nothing. */
  examined: z.object({ count: z.number().int().nonnegative(), unit: z.string() }),
  state: adrRuleState,
  note: z.string().nullable(),
  findings: z.array(adrFinding),
  durationMs: z.number().nonnegative(),
  /** Absent where fixtures were not tried, and for `advisory`, which has nothing to catch. */
  proof: adrProof.optional(),
});
export type AdrRuleResult = z.infer<typeof adrRuleResult>;

export const adrRecordResult = z.object({
  /** The number as it is written: `0002`. */
  id: z.string(),
  title: z.string(),
  status: adrStatus,
  date: z.string().nullable(),
  path: z.string(),
  supersedes: z.array(z.string()),
  supersededBy: z.array(z.string()),
  /** What is wrong with the record itself: form, numbering, links, a changed decision text. */
  problems: z.array(adrFinding),
  rules: z.array(adrRuleResult),
});
export type AdrRecordResult = z.infer<typeof adrRecordResult>;

export const adrReport = z.object({
  format: z.literal(ADR_REPORT_FORMAT),
  tool: z.object({ name: z.string(), version: z.string() }),
  mode: z.enum(['full', 'change']),
  /** The commit or branch that a change-only check compares with. */
  base: z.string().nullable(),
  commit: z.string().nullable(),
  startedAt: z.number().int(),
  durationMs: z.number().nonnegative(),
  /** How many files the configuration keeps from every rule. */
  excluded: z.number().int().nonnegative().optional(),
  /**
   * How much of the past the records were compared with, because a history that was rewritten
   * looks like a short one: the commits that touched them, and the first. Absent where it could
   * not be read.
   */
  history: z
    .object({ commits: z.number().int().nonnegative(), first: z.string().nullable() })
    .optional(),
  records: z.array(adrRecordResult),
  /** What kept the check from looking at all: an unreadable tree, records that cannot be read. */
  problems: z.array(adrFinding),
  /** 0 clean, 1 violations, 2 could not check. */
  exitCode: z.union([z.literal(0), z.literal(1), z.literal(2)]),
});
export type AdrReport = z.infer<typeof adrReport>;
