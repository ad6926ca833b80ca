import type { ActKind } from '../../protocol/act.ts';
import type { ActRow } from '../../protocol/http.ts';

/** How many acts of one kind became what. */
export type Tally = {
  kind: ActKind;
  done: number;
  notDone: number;
  unknown: number;
  open: number;
  forbidden: number;
};

/** Counts acts by kind, those with the most first. Rehearsals did nothing, and are left out. */
export function tallyActs(acts: readonly ActRow[]): Tally[] {
  const tallies = new Map<ActKind, Tally>();
  for (const { kind, outcome, breach, rehearsal } of acts) {
    if (rehearsal) continue;
    const before = tallies.get(kind);
    const tally = before ?? { kind, done: 0, notDone: 0, unknown: 0, open: 0, forbidden: 0 };
    tallies.set(kind, {
      ...tally,
      done: tally.done + Number(outcome === 'done'),
      notDone: tally.notDone + Number(outcome === 'not_done'),
      unknown: tally.unknown + Number(outcome === 'unknown'),
      open: tally.open + Number(outcome === null),
      forbidden: tally.forbidden + Number(breach ?? false),
    });
  }
  const all = ({ done, notDone, unknown, open }: Tally) => done + notDone + unknown + open;
  return [...tallies.values()].toSorted((a, b) => all(b) - all(a));
}
