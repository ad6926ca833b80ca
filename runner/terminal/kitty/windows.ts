import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { PilothouseError } from '../../../protocol/errors.ts';
import { fitSize } from '../../../protocol/takeover.ts';
import type { TerminalPane } from '../../../protocol/terminal.ts';
import type { ProcessRow } from '../../process/process-table.ts';
import { findAgent } from '../look/agents.ts';
import { readFront } from '../look/front.ts';
import { cutAtCursor, type CursorLine } from '../look/prompt-line.ts';

// Everything else of a window is left out here, its whole environment first of all.
const window = z.object({
  id: z.int().nonnegative(),
  pid: z.int().nullable().default(null),
  title: z.string().default(''),
  cwd: z.string().default(''),
  columns: z.int().default(80),
  lines: z.int().default(24),
  foreground_processes: z
    .array(z.object({ pid: z.int(), cmdline: z.array(z.string()).default([]) }))
    .default([]),
});
const listing = z.array(z.object({ tabs: z.array(z.object({ windows: z.array(window) })) }));
export type KittyWindow = z.infer<typeof window>;

/** Parses what `ls` answers, which is JSON in a string. Throws `terminal_failed` for another form. */
export function parseWindows(data: unknown): KittyWindow[] {
  try {
    const parsed = listing.parse(typeof data === 'string' ? JSON.parse(data) : data);
    return parsed.flatMap(({ tabs }) => tabs.flatMap(({ windows }) => windows));
  } catch {
    throw new PilothouseError('terminal_failed', { detail: 'kitty: a list of another form' });
  }
}

/** What begins an escape that moves the cursor, among others. */
const MOVE = '\u001b[';

/**
 * The line of the cursor, out of a screen that was asked for with it: its place stands at the end,
 * as the escape that would move it there. Null where it does not.
 */
export function parseCursorLine(screen: string): CursorLine | null {
  const place = screen.split(MOVE).findLast((part) => /^\d+;\d+H/.test(part));
  const [, row, column] = /^(\d+);(\d+)H/.exec(place ?? '') ?? [];
  if (row === undefined || column === undefined) return null;
  const lines = stripVTControlCharacters(screen).split('\n');
  return cutAtCursor(lines[Number(row) - 1] ?? '', Number(column) - 1);
}

/** The exact id of a window: its number and the kitty that gave it out. */
export const kittyTarget = (instance: number, id: number): string => `kitty:${instance}:${id}`;

/** A window as a listing tells it. */
export function describeWindow(
  instance: number,
  found: KittyWindow,
  table: readonly ProcessRow[],
): TerminalPane {
  const [front] = found.foreground_processes;
  return {
    target: kittyTarget(instance, found.id),
    backend: 'kitty',
    session: null,
    title: found.title,
    program: front?.cmdline[0] ?? '',
    directory: found.cwd,
    size: fitSize({ columns: found.columns, rows: found.lines }),
    state: stateOf(found),
    agent: found.pid === null ? null : findAgent(found.pid, table),
    ours: false,
  };
}

function stateOf({ pid }: KittyWindow): TerminalPane['state'] {
  if (pid === null) return 'unknown';
  const { own, shell } = readFront(pid);
  if (own === null) return 'unknown';
  return own && shell !== null ? 'shell' : 'program';
}
