import { SEAL_DEPTH } from '../seal/argv.ts';
import { isMarked } from './mark.ts';
import {
  isRunning,
  listProcesses,
  type ProcessIdentity,
  type ProcessRow,
} from './process-table.ts';

/** Stands for an engine of which no process is known. */
export const NOBODY: ProcessIdentity = { pid: -1, startedAt: '' };

/** How an engine stands to the process that was started for it. */
export type Stand = {
  /** Its root waits for it and keeps its exit status. */
  kept: boolean;
  /** How many processes, the root first, only stand around the engine and wait for it. */
  depth: number;
};

const STANDS_ALONE: Stand = { kept: false, depth: 0 };

/** How the engine of a plan, or of a stored process, stands. */
export function standOf({ kept, sealed }: { kept: boolean; sealed: boolean }): Stand {
  return { kept, depth: (kept ? 1 : 0) + (sealed ? SEAL_DEPTH : 0) };
}

/**
 * The processes that came from one engine. Parentage is recorded while it can be seen: a tool
 * that leaves its session and loses its parent is still known, and so is one that cleared its
 * environment.
 */
export class Descendants {
  readonly root: ProcessIdentity;
  readonly marker: string;
  readonly stand: Stand;
  readonly #known = new Map<number, ProcessIdentity>();

  constructor(
    root: ProcessIdentity,
    marker: string,
    known: readonly ProcessIdentity[] = [],
    stand: Stand = STANDS_ALONE,
  ) {
    this.stand = stand;
    this.root = root;
    this.marker = marker;
    for (const identity of [root, ...known]) this.#known.set(identity.pid, identity);
  }

  /** Who is known to belong here, so that it can be stored. */
  list(): ProcessIdentity[] {
    return [...this.#known.values()];
  }

  /** Records who is there now. Returns whether anybody new was seen. */
  sample(table: readonly ProcessRow[] = listProcesses()): boolean {
    const family = decideFamily(table, this.list());
    const sessions = new Set(family.map((row) => row.session));
    let grew = false;
    for (const row of family) {
      if (this.#known.get(row.pid)?.startedAt === row.startedAt) continue;
      this.#known.set(row.pid, { pid: row.pid, startedAt: row.startedAt });
      grew = true;
    }
    // A pid that nobody uses any more may be given to a stranger: it is kept only while it is
    // the session of somebody here.
    const alive = new Set(family.map((row) => row.pid));
    for (const pid of this.#known.keys()) {
      if (pid !== this.root.pid && !alive.has(pid) && !sessions.has(pid)) this.#known.delete(pid);
    }
    return grew;
  }

  /** Looks for every living member, by record, parentage, session and marker. */
  hunt(): ProcessIdentity[] {
    const table = listProcesses();
    const marked = table.filter((row) => !row.zombie && this.#isMarked(row));
    for (const row of marked) this.#known.set(row.pid, { pid: row.pid, startedAt: row.startedAt });
    this.sample(table);
    return this.list().filter((identity) => isRunning(identity) && identity.pid !== process.pid);
  }

  #isMarked(row: ProcessRow): boolean {
    return row.pid !== process.pid && isMarked(row.pid, this.marker);
  }
}

/**
 * Decides who belongs to the family of `known`: descendants by parentage, and members of a POSIX
 * session that one of the family leads. A pid that was given to another process counts for
 * nothing. Pure.
 */
export function decideFamily(
  table: readonly ProcessRow[],
  known: readonly ProcessIdentity[],
): ProcessRow[] {
  const startedAt = new Map(known.map((identity) => [identity.pid, identity.startedAt]));
  const family = new Set<number>();
  for (const row of table) if (startedAt.get(row.pid) === row.startedAt) family.add(row.pid);
  // The leader of a session may be gone while its members live; its pid cannot be given away
  // meanwhile (POSIX, fork), unless a newer process is seen under it.
  const sessions = new Set<number>(known.map((identity) => identity.pid));
  for (const row of table) {
    if (startedAt.has(row.pid) && startedAt.get(row.pid) !== row.startedAt)
      sessions.delete(row.pid);
  }
  for (let grew = true; grew;) {
    grew = false;
    for (const row of table) {
      if (
        family.has(row.pid) ||
        (startedAt.has(row.pid) && startedAt.get(row.pid) !== row.startedAt)
      )
        continue;
      if (!family.has(row.parent) && !sessions.has(row.session)) continue;
      family.add(row.pid);
      sessions.add(row.pid);
      grew = true;
    }
  }
  return table.filter((row) => family.has(row.pid));
}
