import { z } from 'zod';
import { actorId } from './ids.ts';

/** Sizes of a terminal that a program can draw on; a size of zero is none. */
const columns = z.int().min(2).max(500);
const rows = z.int().min(2).max(300);
export const terminalSize = z.object({ columns, rows });
export type TerminalSize = z.infer<typeof terminalSize>;

/** The size where the person's window says none. */
export const TERMINAL_SIZE: TerminalSize = { columns: 100, rows: 30 };

/** The size nearest to the asked one that a terminal may have. */
export function fitSize(asked: TerminalSize): TerminalSize {
  const within = (value: number, least: number, most: number) =>
    Math.min(most, Math.max(least, Math.floor(Number.isFinite(value) ? value : 0)));
  return { columns: within(asked.columns, 2, 500), rows: within(asked.rows, 2, 300) };
}

/**
 * How a person drives. `keys`: the engine's own terminal, in which every key reaches it. `text`:
 * instructions as before, which nobody else may give meanwhile.
 */
export const takeoverForm = z.enum(['keys', 'text']);
export type TakeoverForm = z.infer<typeof takeoverForm>;

/** Who drives a session by hand, as everybody may see it. */
export const takeoverView = z.object({
  form: takeoverForm,
  actorId,
  /** Where it was taken, as the person would say it: console, cli. */
  channel: z.string(),
  /** The fencing epoch of this lease. */
  epoch: z.int().positive(),
  at: z.int(),
});

/** The secret that proves to hold the lease: given once, to whoever took the session over. */
export const leaseKey = z.string().min(20).max(100);

export const takeoverRequest = z.object({
  form: takeoverForm.default('keys'),
  ...terminalSize.shape,
  columns: columns.default(TERMINAL_SIZE.columns),
  rows: rows.default(TERMINAL_SIZE.rows),
  /** Takes it from whoever drives. */
  force: z.boolean().default(false),
});
export const takenOver = z.object({ key: leaseKey, epoch: z.int().positive() });

/** `force` gives back what somebody else holds, as after a lost browser. */
export const releaseRequest = z.object({
  key: leaseKey.nullable().default(null),
  force: z.boolean().default(false),
});
