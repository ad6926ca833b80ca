import type { ActKind } from '../../protocol/act.ts';
import { matchesAny } from '../gate/policy.ts';
import type { Move, Snapshot } from './snapshot.ts';

export type KindRoom = {
  before: Snapshot;
  /** Whether the session works in the person's repository itself. */
  inPlace: boolean;
  /** Patterns of further branches that others build on. */
  protectedBranches: readonly string[];
};

/** What kind of act a move is; null for what belongs to ordinary work. Pure. */
export function kindOfMove(
  move: Move,
  forward: boolean | null,
  { before, inPlace, protectedBranches }: KindRoom,
): ActKind | null {
  const { ref, remote } = move;
  if (move.after === null) return 'delete';
  if (ref.startsWith('refs/tags/')) return move.before === null ? 'tag' : 'force_push';
  if (!ref.startsWith('refs/heads/')) return remote ? 'push' : null;
  const branch = ref.slice('refs/heads/'.length);
  const trunk = branch === defaultBranchOf(move, before) || matchesAny(branch, protectedBranches);
  // On the branch that was checked out and on new ones the session works; others build on a trunk.
  if (inPlace && !remote) {
    const checkedOut = before.places.find(({ remote: far }) => !far)?.head === branch;
    if (!trunk) return null;
    return checkedOut ? 'commit' : 'merge';
  }
  if (move.before !== null && forward === false) return 'force_push';
  return trunk ? 'merge' : 'push';
}

/** The branch that others build on in a place: a remote says so by its HEAD. Null: nobody says. */
export function defaultBranchOf(
  { place, remote, ref }: Pick<Move, 'place' | 'remote' | 'ref'>,
  { places }: Snapshot,
): string | null {
  const remotes = places.filter((each) => each.remote && each.head !== null);
  if (remote) return remotes.find(({ name }) => name === place)?.head ?? null;
  // Of several remotes each protects its own.
  const same = remotes.find(({ head }) => ref === `refs/heads/${head}`);
  return (same ?? remotes[0] ?? places.find((each) => !each.remote))?.head ?? null;
}
