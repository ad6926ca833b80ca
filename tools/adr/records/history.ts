import { posix } from 'node:path';
import type { Workspace } from '../config/find-root.ts';
import { AdrFailure } from '../failure.ts';
import { type Position, readPosition, runGit, splitNul } from '../tree/git.ts';
import { type FileChange, parseRaw, readBlobs } from './git-objects.ts';
import { numberOfPath } from './parse-record.ts';
import { readPastDirectories } from './past-directories.ts';

/** A record as it stood in a commit. `path` is from git's top. */
export type State = { commit: string; path: string; number: number; text: string };

/** What a commit did to the record of a number, seen from one of its parents. */
export type Step = { number: number; before: State | null; after: State | null };

/** The past of every number: each step that leads to HEAD, the earliest first, and what HEAD holds. */
export type History = {
  steps: Step[];
  head: State[];
  /** How many commits touched records, and where their past begins: null where none did. */
  reach: { commits: number; first: string | null };
  /** Whether a commit comes before another one. */
  isBefore(earlier: string, later: string): boolean;
};

const NONE: History = {
  steps: [],
  head: [],
  reach: { commits: 0, first: null },
  isBefore: () => false,
};
const RAW = ['-m', '-r', '--raw', '-z', '--no-abbrev', '--no-renames', '--format=%x01%H'];
/** The directories of records can move as often as this, and their past is still found. */
const MAX_MOVES = 16;

/**
 * The history of the records up to HEAD, by their numbers: whatever a file was called, in every
 * directory that was the one of the records, on every branch that was merged, with what merges
 * themselves changed. Throws `AdrFailure` when it is cut (a shallow clone) or cannot be read.
 */
export function readHistory(
  { root, directory, config }: Workspace,
  { head: commit, shallow, prefix }: Position = readPosition(root),
): History {
  if (commit === null) return NONE;
  if (shallow) {
    throw new AdrFailure(
      'shallow',
      'This clone holds a part of the history only, so it cannot be seen whether accepted decisions were rewritten. Fetch it all (`git fetch --unshallow`, or `fetch-depth: 0` in a workflow).',
    );
  }
  const range = config.baseline ? `${config.baseline}..HEAD` : 'HEAD';
  const directories = new Set([
    posix.join(prefix, directory),
    ...readPastDirectories(root, prefix, range),
  ]);
  let blocks: FileChange[][] = [];
  for (let moves = 0; moves < MAX_MOVES; moves++) {
    blocks = readLog(root, range, directories);
    const before = directories.size;
    for (const found of findOrigins(root, blocks)) directories.add(found);
    if (directories.size === before) break;
  }
  const held = (commit: string) => readStates(root, commit, directories);
  const start = config.baseline ? held(config.baseline) : [];
  const head = held('HEAD');
  const steps = blocks.flatMap(stepsOf);
  const changes = [
    ...steps.flatMap(({ before, after }) => [before ?? [], after ?? []]),
    start,
    head,
  ];
  const texts = readBlobs(
    root,
    changes.flat().map(({ blob }) => blob),
  );
  const stateOf = ({ blob, ...place }: Held): State => ({ ...place, text: texts.get(blob) ?? '' });
  const commits = new Set(blocks.flatMap((block) => block.map((change) => change.commit)));
  return {
    head: head.map(stateOf),
    reach: { commits: commits.size, first: config.baseline ?? [...commits][0] ?? null },
    steps: [
      ...start.map((one) => ({ number: one.number, before: null, after: stateOf(one) })),
      ...steps.map(({ number, before, after }) => ({
        number,
        before: before && stateOf(before),
        after: after && stateOf(after),
      })),
    ],
    isBefore: (earlier, later) =>
      runGit(root, ['rev-list', '--count', '--max-count=1', earlier, `^${later}`]).trim() === '0',
  };
}

type Held = Omit<State, 'text'> & { blob: string };

function readLog(root: string, range: string, directories: ReadonlySet<string>): FileChange[][] {
  const paths = [...directories].map((path) => `:(top)${path}`);
  const order = ['--full-history', '--reverse', '--topo-order'];
  return parseRaw(runGit(root, ['log', ...order, ...RAW, range, '--', ...paths]));
}

/**
 * Directories from which records came in the commits that added them: one that is moved is the same
 * one, wherever it was. Those are the removed files of the same name and number.
 */
function findOrigins(root: string, blocks: readonly FileChange[][]): string[] {
  const added = blocks
    .flat()
    .filter(({ path, before }) => before === null && numberOfPath(path) !== null);
  if (added.length === 0) return [];
  const born = new Set(added.map(({ commit, path }) => `${commit} ${posix.basename(path)}`));
  const commits = [...new Set(added.map(({ commit }) => commit))];
  const args = ['diff-tree', '--stdin', '--root', ...RAW, '--', ':(top,glob)**/[0-9]*-*.md'];
  return parseRaw(runGit(root, args, `${commits.join('\n')}\n`))
    .flat()
    .filter(
      ({ commit, path, after }) =>
        after === null &&
        numberOfPath(path) !== null &&
        born.has(`${commit} ${posix.basename(path)}`),
    )
    .map(({ path }) => posix.dirname(path));
}

/** Joins the changes of one block to steps: a number that leaves one file and enters another moved. */
function stepsOf(
  changes: readonly FileChange[],
): { number: number; before: Held | null; after: Held | null }[] {
  const held = ({ commit, path }: FileChange, blob: string | null): Held | null => {
    const number = numberOfPath(path);
    return blob === null || number === null ? null : { commit, path, number, blob };
  };
  const pairs = changes.map((change) => ({
    before: held(change, change.before),
    after: held(change, change.after),
  }));
  const gone = pairs.filter(({ after }) => !after).flatMap(({ before }) => before ?? []);
  const come = pairs.filter(({ before }) => !before).flatMap(({ after }) => after ?? []);
  const moved = come.map((after) => ({
    before: gone.find((one) => one.number === after.number) ?? null,
    after,
  }));
  const left = gone
    .filter((one) => !moved.some(({ before }) => before === one))
    .map((before) => ({ before, after: null }));
  const kept = pairs.filter(({ before, after }) => before && after);
  return [...kept, ...moved, ...left].map(({ before, after }) => ({
    number: (after ?? before)?.number ?? 0,
    before,
    after,
  }));
}

/** The records that a commit holds. */
function readStates(root: string, commit: string, directories: ReadonlySet<string>): Held[] {
  // Records at the top itself are named by no path.
  const paths = directories.has('.') ? [] : [...directories].map((path) => `${path}/`);
  const listed = runGit(root, ['ls-tree', '-z', '--full-tree', commit, '--', ...paths]);
  return splitNul(listed).flatMap((line) => {
    const [about = '', path = ''] = line.split('\t');
    const number = numberOfPath(path);
    const [, type, blob = ''] = about.split(' ');
    return number === null || type !== 'blob' ? [] : [{ commit, path, number, blob }];
  });
}
