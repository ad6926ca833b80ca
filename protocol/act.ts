import { z } from 'zod';
import { actId, turnId } from './ids.ts';

/** Consequential commands: what leaves the checkout or cannot be taken back. */
export const ACT_KINDS = [
  'merge',
  'push',
  'force_push',
  'tag',
  /** A branch, a tag, or a thing that runs or is kept somewhere else. */
  'delete',
  /** Opened or changed. */
  'pull_request',
  'pull_request_close',
  'comment',
  'release',
  'publish',
  'deploy',
  'infrastructure',
  'migration',
  /** A database, or what is in it. */
  'drop',
  /** Whole directories of files. */
  'remove',
  'secret_read',
  'permission',
  'commit',
] as const;
export const actKind = z.enum(ACT_KINDS);
export type ActKind = z.infer<typeof actKind>;

/**
 * How an act was seen: in the engine's stream, as refs that really moved, as our own order, by
 * the gate that judged it and passed it on, or by the guard in an open session's environment, which
 * judged it before it ran.
 */
export const witness = z.enum(['stream', 'git', 'instructed', 'gate', 'guard']);
export type Witness = z.infer<typeof witness>;

export const actSeen = z.object({
  actId,
  turnId: turnId.nullable(),
  /** The tool call that carried it; null for an act that only its effect betrays. */
  toolId: z.string().nullable(),
  kind: actKind,
  /** The one simple command, after redaction; what moved, for an act without one. */
  command: z.string(),
  /** What it acts on, as far as the command says: `origin main`, `refs/tags/v1`, a package. */
  target: z.string().nullable(),
  /** Who saw it first; `act/witnessed` names the others. */
  witness,
  /** The classifier had to look through something it cannot see whole (a variable, a script). */
  uncertain: z.boolean(),
  /**
   * The act of the engine's stream that this one is too: what was claimed there and seen here is
   * one act, counted once. Absent: nobody claimed it, or it is the claim.
   */
  claimId: actId.optional(),
  /** The ref of the remote that it would move, and from where to where; zeroes are nothing. */
  move: z.object({ ref: z.string(), before: z.string(), after: z.string() }).optional(),
});
export type ActSeen = z.infer<typeof actSeen>;

/** What became of an act: done, not done, or never known. */
export const actOutcome = z.enum(['done', 'not_done', 'unknown']);
export type ActOutcome = z.infer<typeof actOutcome>;

/** Who decided what became of it: our policy, or the forge that was asked. */
export const actDecider = z.enum(['policy', 'forge']);
