import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sessionId, type SessionId } from '../../protocol/ids.ts';

const asideRecord = z.object({ sessionId, code: z.string(), at: z.int() });
export type AsideRecord = z.infer<typeof asideRecord>;

const SUFFIX = '.json';

/**
 * The sessions whose events the server refuses to take, one small file each: they are kept and
 * not sent again. Files, because the doctor looks at them while the runner holds its database.
 */
export class SetAside {
  readonly #directory: string;
  readonly #known: Set<SessionId>;

  constructor(directory: string) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#directory = directory;
    this.#known = new Set(listSetAside(directory).map((record) => record.sessionId));
  }

  has(id: SessionId): boolean {
    return this.#known.has(id);
  }

  /** Sets a session aside. Returns whether it was not before, so that it is told once. */
  add(record: AsideRecord): boolean {
    if (this.#known.has(record.sessionId)) return false;
    this.#known.add(record.sessionId);
    writeFileSync(this.#path(record.sessionId), JSON.stringify(record), { mode: 0o600 });
    return true;
  }

  /** The server speaks of the session after all. Returns whether it was set aside. */
  remove(id: SessionId): boolean {
    if (!this.#known.delete(id)) return false;
    rmSync(this.#path(id), { force: true });
    return true;
  }

  #path(id: SessionId): string {
    return join(this.#directory, `${id}${SUFFIX}`);
  }
}

/** What is set aside in a runner's directory; nothing where there is none. A damaged file is skipped. */
export function listSetAside(directory: string): AsideRecord[] {
  return readNames(directory).flatMap((name) => {
    try {
      return [asideRecord.parse(JSON.parse(readFileSync(join(directory, name), 'utf8')))];
    } catch {
      // Cut off while it was written: the server refuses again, and it is written again.
      return [];
    }
  });
}

function readNames(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(SUFFIX));
  } catch {
    return [];
  }
}
