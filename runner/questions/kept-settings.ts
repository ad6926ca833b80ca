import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PilothouseError } from '../../protocol/errors.ts';
import { messageOf } from '../failure.ts';
import { replaceFile } from '../replace-file.ts';

/** Longest that settings are kept which no agent was begun with, in ms: an agent may run for weeks. */
const KEPT_MS = 90 * 24 * 60 * 60_000;

/**
 * Keeps what an agent is begun with in a file of the person's alone, named by what is in it, and
 * answers its path. Throws `terminal_failed` where it cannot: the agent would go without.
 */
export function keepSettings(root: string, settings: string, nowMs = Date.now()): string {
  const path = join(root, `${createHash('sha256').update(settings).digest('hex')}.json`);
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    // Also where it is there: its time says when it was used last, and it is what it was.
    replaceFile(path, settings);
    for (const name of readdirSync(root)) {
      const each = join(root, name);
      if (nowMs - statSync(each).mtimeMs > KEPT_MS) rmSync(each, { force: true });
    }
    return path;
  } catch (error) {
    const detail = `settings of a coding agent cannot be kept in ${root} (${messageOf(error)})`;
    throw new PilothouseError('terminal_failed', { detail }, { cause: error });
  }
}
