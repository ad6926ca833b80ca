import type { Workspace } from '../config/find-root.ts';
import { AdrFailure } from '../failure.ts';
import { readHead, runGit } from '../tree/git.ts';
import { numberOfPath } from './parse-record.ts';

/** A version of a record in a commit, the oldest first. */
export type Version = { commit: string; path: string; text: string };

/** A record through the history, under all its names. `removed`: no file of it is left. */
export type Lineage = { number: number; versions: Version[]; removed: boolean };

type Event = { commit: string; state: string; path: string; to: string | null };

/**
 * The history of a directory of records up to HEAD, one lineage for each record: renames are
 * followed, and a file that is replaced under another name in one commit counts as renamed.
 * Throws `AdrFailure` when the history is cut (a shallow clone) or cannot be read.
 */
export function readHistory({ root, directory, config }: Workspace): Lineage[] {
  if (readHead(root) === null) return [];
  if (runGit(root, ['rev-parse', '--is-shallow-repository']).trim() === 'true') {
    throw new AdrFailure(
      'shallow',
      'This clone holds a part of the history only, so it cannot be seen whether accepted decisions were rewritten. Fetch it all (`git fetch --unshallow`, or `fetch-depth: 0` in a workflow).',
    );
  }
  const range = config.baseline ? `${config.baseline}..HEAD` : 'HEAD';
  const log = runGit(root, [
    'log',
    '--reverse',
    '--topo-order',
    '--no-merges',
    '--relative',
    '-M40%',
    '--name-status',
    '-z',
    '--format=%x01%H',
    range,
    '--',
    directory,
  ]);
  const lineages = joinEvents(parseLog(log));
  return withTexts(root, lineages);
}

/** Reads `--name-status -z` under headings of commits. */
export function parseLog(log: string): Event[] {
  const events: Event[] = [];
  for (const block of log.split('\u0001').slice(1)) {
    const [commit = '', ...rest] = block.split('\0').map((part) => part.replace(/^\n/, ''));
    const parts = rest.filter((part) => part !== '');
    for (let at = 0; at < parts.length;) {
      const state = (parts[at] ?? '').charAt(0);
      const renamed = state === 'R' || state === 'C';
      events.push({
        commit: commit.trim(),
        state,
        path: parts[at + 1] ?? '',
        to: renamed ? (parts[at + 2] ?? null) : null,
      });
      at += renamed ? 3 : 2;
    }
  }
  return events;
}

type Draft = { number: number; at: string | null; places: { commit: string; path: string }[] };

/** Joins events to lineages. */
export function joinEvents(events: readonly Event[]): Draft[] {
  const drafts: Draft[] = [];
  const live = (path: string) => drafts.find((draft) => draft.at === path);
  for (const event of events) {
    const path = event.to ?? event.path;
    const number = numberOfPath(path);
    const before = live(event.path);
    if (event.state === 'D') {
      const replaced = events.find(
        (other) =>
          other.commit === event.commit &&
          other.state === 'A' &&
          numberOfPath(other.path) === numberOfPath(event.path),
      );
      if (before && replaced && !live(replaced.path)) before.at = replaced.path;
      else if (before) before.at = null;
      continue;
    }
    if (number === null) {
      if (before && event.state === 'R') before.at = null;
      continue;
    }
    const place = { commit: event.commit, path };
    const known = event.state === 'C' ? undefined : (before ?? live(path));
    if (known) {
      known.at = path;
      known.number = number;
      known.places.push(place);
    } else {
      // A replacement's removal may stand after its addition in the same commit.
      const gone = events.find(
        (other) =>
          other.commit === event.commit &&
          other.state === 'D' &&
          numberOfPath(other.path) === number,
      );
      const old = gone && live(gone.path);
      if (old) {
        old.at = path;
        old.places.push(place);
      } else drafts.push({ number, at: path, places: [place] });
    }
  }
  return drafts;
}

function withTexts(root: string, drafts: readonly Draft[]): Lineage[] {
  const prefix = runGit(root, ['rev-parse', '--show-prefix']).trim();
  const places = drafts.flatMap((draft) => draft.places);
  const texts = readBlobs(
    root,
    places.map(({ commit, path }) => `${commit}:${prefix}${path}`),
  );
  let next = 0;
  return drafts.map((draft) => ({
    number: draft.number,
    removed: draft.at === null,
    versions: draft.places.map((place) => ({ ...place, text: texts[next++] ?? '' })),
  }));
}

/** The texts of objects, in one run of git. Throws when one is not there. */
function readBlobs(root: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const bytes = Buffer.from(runGit(root, ['cat-file', '--batch'], `${names.join('\n')}\n`), 'utf8');
  const texts: string[] = [];
  let at = 0;
  for (const name of names) {
    const end = bytes.indexOf('\n', at);
    const size = / blob (\d+)$/.exec(bytes.toString('utf8', at, end))?.[1];
    if (size === undefined) {
      throw new AdrFailure(
        'git_failed',
        `git does not have ${name}, so the history of the records is not known. Look at the clone with \`git fsck\`.`,
      );
    }
    const start = end + 1;
    texts.push(bytes.toString('utf8', start, start + Number(size)));
    at = start + Number(size) + 1;
  }
  return texts;
}
