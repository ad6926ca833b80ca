import { z } from 'zod';
import { actorId, runnerId } from './ids.ts';
import { leaseKey } from './takeover.ts';
import { terminalPane, terminalTarget } from './terminal.ts';

/**
 * A terminal of a machine, live in a person's window: which there are, who drives one, and what is
 * kept of it. The picture itself travels as in a takeover (`terminal-frames.ts`).
 */

/** How the picture comes: as it is written, looked at again and again, or not at all. */
export const paneShown = z.enum(['live', 'polled']);
export type PaneShown = z.infer<typeof paneShown>;

export const watchablePane = z.object({ ...terminalPane.shape, shown: paneShown });
export type WatchablePane = z.infer<typeof watchablePane>;

/** What a machine lets a person see of its terminals. */
export const paneList = z.object({
  panes: z.array(watchablePane),
  /** Whether the machine's limits let a person watch at all, and type. */
  watch: z.boolean(),
  drive: z.boolean(),
});
export type PaneList = z.infer<typeof paneList>;

/** Who types into a terminal, as everybody may see it. */
export const paneDriver = z.object({
  actorId,
  /** Where it was taken, as the person would say it: console, cli. */
  channel: z.string(),
  at: z.int(),
});
export type PaneDriver = z.infer<typeof paneDriver>;

export const paneQuery = z.object({ target: terminalTarget });
export const driveRequest = z.object({
  target: terminalTarget,
  /** Takes it from whoever drives. */
  force: z.boolean().default(false),
});
/** `force` ends what somebody else holds, as after a lost browser. */
export const letGoRequest = z.object({
  target: terminalTarget,
  key: leaseKey.nullable().default(null),
  force: z.boolean().default(false),
});

/**
 * What is kept of a terminal that a person watched or drove: who, when, and how many bytes in how
 * many batches, never which.
 */
export const PANE_RECORD_KINDS = ['watched', 'took', 'typed', 'let_go'] as const;
export const paneRecordKind = z.enum(PANE_RECORD_KINDS);
/** Why a lease ended: handed back, taken by somebody else, its window gone, or nothing typed. */
export const letGoReason = z.enum(['handed_back', 'forced', 'left', 'idle']);
export type LetGoReason = z.infer<typeof letGoReason>;

export const paneRecord = z.object({
  id: z.string(),
  runnerId,
  target: z.string(),
  actorId,
  channel: z.string(),
  kind: paneRecordKind,
  bytes: z.int().nonnegative().nullable(),
  batches: z.int().nonnegative().nullable(),
  reason: letGoReason.nullable(),
  at: z.int(),
});
export type PaneRecord = z.infer<typeof paneRecord>;
