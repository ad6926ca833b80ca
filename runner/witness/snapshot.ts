/** Commits by full ref name. */
export type Refs = Readonly<Record<string, string>>;

/** One place at one moment. */
export type PlaceSnapshot = {
  name: string;
  remote: boolean;
  /** Null when it could not be looked at. */
  refs: Refs | null;
  /** Why not, as a sentence. */
  skipped: string | null;
  /** The branch that others build on: of a remote its HEAD, of a repository what is checked out. */
  head: string | null;
};

/** Where all refs stood that a session could move. */
export type Snapshot = {
  takenAt: number;
  places: readonly PlaceSnapshot[];
  /** What the session's checkout had by then, and so the person too, for it was brought back. */
  brought: readonly string[];
};

/** A ref of a place that is somewhere else than before. */
export type Move = {
  place: string;
  remote: boolean;
  ref: string;
  before: string | null;
  after: string | null;
};

/** Namespaces of the person's repository that are moved by us, by fetching, or by nobody's act. */
const NOT_THEIRS = ['refs/pilothouse/', 'refs/heads/pilothouse/', 'refs/remotes/'];
const WATCHED = ['refs/heads/', 'refs/tags/', 'refs/notes/'];

/** What moved between two snapshots, place by place. Places that one of them lacks are left out. */
export function listMoves(before: Snapshot, after: Snapshot): Move[] {
  return after.places.flatMap((place) => {
    const earlier = before.places.find(({ name }) => name === place.name);
    if (!earlier?.refs || !place.refs) return [];
    return movesOf(place, earlier.refs, place.refs);
  });
}

function movesOf({ name, remote }: PlaceSnapshot, before: Refs, after: Refs): Move[] {
  const moves: Move[] = [];
  const add = (ref: string, from: string | null, to: string | null) => {
    if (isWatched(ref, remote)) moves.push({ place: name, remote, ref, before: from, after: to });
  };
  for (const [ref, commit] of Object.entries(after)) {
    const was = before[ref] ?? null;
    if (was !== commit) add(ref, was, commit);
  }
  for (const [ref, commit] of Object.entries(before)) {
    if (after[ref] === undefined) add(ref, commit, null);
  }
  return moves;
}

const isWatched = (ref: string, remote: boolean): boolean =>
  WATCHED.some((prefix) => ref.startsWith(prefix)) &&
  (remote || !NOT_THEIRS.some((prefix) => ref.startsWith(prefix)));

/**
 * A place that cannot be looked at now keeps its last refs, and reflogs are read back to then, so
 * that the next look spans the gap however long it is.
 */
export function keepLastRefs(before: Snapshot | null, after: Snapshot): Snapshot {
  const places = after.places.map((place) => {
    const earlier = before?.places.find(({ name }) => name === place.name);
    return place.refs === null && earlier?.refs
      ? { ...place, refs: earlier.refs, head: earlier.head }
      : place;
  });
  const spans = before !== null && places.some(({ refs, skipped }) => refs && skipped !== null);
  // What the person has by now stays known: a commit that they push later is not the session's.
  return { ...after, places, ...(spans && { takenAt: before.takenAt }) };
}

/** Reads what `git for-each-ref` or `git ls-remote --symref` printed: a commit and a name a line. */
export function parseRefs(listed: string): { refs: Record<string, string>; head: string | null } {
  const refs: Record<string, string> = {};
  let head: string | null = null;
  for (const line of listed.split('\n')) {
    const symbolic = /^ref: refs\/heads\/(\S+)\s+HEAD$/.exec(line);
    if (symbolic) head = symbolic[1] ?? null;
    const match = /^([0-9a-f]{40,64})\s+(refs\/\S+)$/.exec(line);
    // `^{}` is what an annotated tag points at, not a ref.
    if (match?.[1] && match[2] && !match[2].endsWith('^{}')) refs[match[2]] = match[1];
  }
  return { refs, head };
}
