import type { Worked } from '../guard/checkout.ts';
import type { PolicyRules } from './breaches.ts';
import { readEvidence, type Window } from './evidence.ts';
import type { JudgedMove, WitnessReport } from './join.ts';
import { defaultBranchOf, kindOfMove } from './kind.ts';
import type { Places } from './places.ts';
import { keepLastRefs, listMoves, type PlaceSnapshot, type Snapshot } from './snapshot.ts';

export type Comparison = {
  checkout: Worked;
  places: Places;
  /** Null: nobody looked before, so that nothing can be compared. */
  before: Snapshot | null;
  after: Snapshot;
  window: Window;
  rules: PolicyRules;
};

/** What moved between two looks, of which kind each move is, and what speaks for whose it is. */
export async function compareRefs({
  checkout,
  places,
  before,
  after,
  window,
  rules,
}: Comparison): Promise<Pick<WitnessReport, 'places' | 'moves'>> {
  if (!before) return { places: [], moves: [] };
  const known = keepLastRefs(before, after);
  // Of a place that is not seen now, the default branch is what it was.
  const headOf = (name: string) => known.places.find((each) => each.name === name)?.head ?? null;
  const moves = listMoves(before, after);
  const { protectedPaths, protectedBranches, fixedBranches } = rules;
  const evidence = await readEvidence(moves, { checkout, places, before, window, protectedPaths });
  return {
    places: after.places.map((place) => ({
      ...withoutBefore(place, before),
      head: headOf(place.name),
    })),
    moves: moves.flatMap((move, index): JudgedMove[] => {
      const found = evidence[index];
      if (!found) return [];
      const kind = kindOfMove(move, found.forward, {
        before,
        inPlace: checkout.mode === 'inPlace',
        protectedBranches: [...protectedBranches, ...fixedBranches],
      });
      // What is none, and was not done by others either, is the work itself.
      const defaultBranch = defaultBranchOf(move, before);
      return kind === null ? [] : [{ move, kind, evidence: found, defaultBranch }];
    }),
  };
}

/** A place that was not looked at before cannot be compared. */
function withoutBefore(place: PlaceSnapshot, before: Snapshot): PlaceSnapshot {
  if (place.skipped !== null || before.places.some(({ name, refs }) => name === place.name && refs))
    return place;
  return { ...place, skipped: 'It is looked at for the first time.' };
}

/** The branch that is checked out in the repository itself, as a look found it. */
export const headOfRepository = ({ places }: Snapshot): string | null =>
  places.find(({ remote }) => !remote)?.head ?? null;
