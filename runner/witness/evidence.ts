import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { OwnCheckout, Worked } from '../guard/checkout.ts';
import { gitOrNull, runGit, type GitOptions } from '../guard/git.ts';
import { readProtectedChanges, type Changes } from '../gate/protected-paths.ts';
import { refreshView, viewOptions } from '../guard/view.ts';
import { isInIndex } from './pack-index.ts';
import type { Places } from './places.ts';
import { isFetching, isMaking, isPushing, readEnd, readLogs, type LogEntry } from './reflog.ts';
import type { Move, Snapshot } from './snapshot.ts';

/** What the session's side knows of a move. */
export type Evidence = {
  /** A reflog of the session's says that it moved the ref there. */
  logged: boolean;
  /** The commit was made on the session's side, and nobody else had it. */
  own: boolean;
  /** The session has the commit, wherever it is from. */
  held: boolean;
  /** The session fetched the commit; somebody else made it. */
  fetched: boolean;
  /** What is there now contains what was there; null when that cannot be told. */
  forward: boolean | null;
  /** The protected paths among what is new on a remote. */
  changes: Changes;
};

/** Times between which a session was at work, in Unix ms. */
export type Window = { from: number; until: number };

/** What stands in a reflog has whole seconds, and clocks are read one after the other. */
const SLACK_MS = 2_000;

/** Gathers, on the session's side, what tells whether it made each move. Runs nothing of the session's. */
export async function readEvidence(
  moves: readonly Move[],
  {
    checkout,
    places,
    before,
    window,
    protectedPaths = [],
  }: {
    checkout: Worked;
    places: Places;
    before: Snapshot;
    window: Window;
    /** Paths whose change is as good as a merge, as globs. */
    protectedPaths?: readonly string[];
  },
): Promise<Evidence[]> {
  if (moves.length === 0) return [];
  const options = await optionsOf(checkout, places);
  // In a directory that is shared with the person, only what happened in the turn is the session's.
  const from = checkout.mode === 'own' ? before.takenAt : window.from;
  const until = checkout.mode === 'own' ? Infinity : window.until;
  const logs = await readLogs(places.logs);
  const recent = logs.filter(
    ({ at }) => at * 1000 >= from - SLACK_MS && at * 1000 <= until + SLACK_MS,
  );
  const known = [
    ...before.places.flatMap(({ refs }) => Object.values(refs ?? {})),
    ...before.brought,
  ];
  const fetched = listFetched(checkout, logs);
  return Promise.all(
    moves.map((move) =>
      judge(move, { checkout, options, recent, logs, known, fetched, protectedPaths }),
    ),
  );
}

type Room = {
  checkout: Worked;
  options: GitOptions;
  recent: readonly LogEntry[];
  logs: readonly LogEntry[];
  known: readonly string[];
  fetched: readonly string[];
  protectedPaths: readonly string[];
};

async function judge(move: Move, room: Room): Promise<Evidence> {
  const { before, after } = move;
  const { options, recent, logs, known, fetched, checkout } = room;
  const nothing: Evidence = {
    logged: false,
    own: false,
    held: false,
    fetched: false,
    forward: null,
    changes: NO_CHANGES,
  };
  if (after === null) return nothing;
  const there = (await runGit(['cat-file', '-e', after], options)).exitCode === 0;
  if (!there) return nothing;
  const made = (checkout.mode === 'own' ? logs : recent).some(
    (entry) => entry.after === after && isMaking(entry),
  );
  const held = checkout.mode === 'inPlace' || (await isInOwnStore(checkout, after));
  const isFetched = !made && fetched.length > 0 && (await isWithin(after, fetched, options));
  const isNew = !(await isWithin(after, known, options));
  const logged = recent.some(
    (entry) => entry.after === after && (move.remote ? isPushing(entry) : entry.ref === move.ref),
  );
  return {
    logged: logged && (move.remote || checkout.mode === 'inPlace'),
    own: held && isNew && !isFetched && (checkout.mode === 'own' || made),
    held,
    fetched: isFetched,
    forward: before === null ? true : await isForward(before, after, options),
    changes: move.remote ? await readChanges(after, room) : NO_CHANGES,
  };
}

const NO_CHANGES: Changes = { known: true, paths: [] };

/** What cannot be told of commits accuses nobody. */
async function readChanges(
  after: string,
  { protectedPaths, options, known }: Room,
): Promise<Changes> {
  if (protectedPaths.length === 0) return NO_CHANGES;
  const found = await readProtectedChanges(after, protectedPaths, options, known).catch(() => null);
  return found?.known ? found : NO_CHANGES;
}

/** Git over the session's objects, through the runner's own view where the session made them. */
async function optionsOf(checkout: Worked, places: Places): Promise<GitOptions> {
  if (checkout.mode === 'inPlace') return places.repository ?? { directory: checkout.directory };
  await refreshView(checkout);
  return viewOptions(checkout);
}

async function isForward(
  before: string,
  after: string,
  options: GitOptions,
): Promise<boolean | null> {
  const { exitCode } = await runGit(['merge-base', '--is-ancestor', before, after], options);
  return exitCode === 0 ? true : exitCode === 1 ? false : null;
}

/** Whether a commit is one of others, or in their history. */
async function isWithin(
  commit: string,
  others: readonly string[],
  options: GitOptions,
): Promise<boolean> {
  if (others.includes(commit)) return true;
  const input = [commit, ...[...new Set(others)].map((each) => `^${each}`)].join('\n');
  const args = ['rev-list', '--max-count=1', '--ignore-missing', '--stdin'];
  const first = await gitOrNull(args, { ...options, input });
  // Something that is no commit, such as a tag of a blob, has no history to be in.
  return first === '';
}

/** Whether the checkout itself holds an object, rather than borrow it from the person's repository. */
async function isInOwnStore({ top }: OwnCheckout, oid: string): Promise<boolean> {
  const objects = join(top, '.git', 'objects');
  const loose = await lstat(join(objects, oid.slice(0, 2), oid.slice(2))).catch(() => null);
  if (loose) return true;
  const names = await readdir(join(objects, 'pack')).catch(() => []);
  for (const name of names.filter((each) => each.endsWith('.idx'))) {
    if (isInIndex(join(objects, 'pack', name), oid)) return true;
  }
  return false;
}

/** Commits that the session took from somewhere: what it fetched last, and earlier remote branches. */
function listFetched(checkout: Worked, logs: readonly LogEntry[]): string[] {
  const heads = checkout.mode === 'own' ? readEnd(join(checkout.top, '.git', 'FETCH_HEAD')) : '';
  const last = heads.split('\n').flatMap((line) => /^([0-9a-f]{40,64})\t/.exec(line)?.[1] ?? []);
  return [...last, ...logs.filter(isFetching).map(({ after }) => after)];
}
