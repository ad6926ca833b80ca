import { plural } from './figures.ts';
import type { SessionView, TurnView } from './session-view.ts';
import type { SpendTotals } from './usage.ts';
import type { RunAct } from './run-report.ts';
import { knowsActs } from './run-standing.ts';

/** What a run's record cannot tell, as sentences: a report without them would promise too much. */
export function listGaps(view: SessionView, acts: readonly RunAct[]): string[] {
  return [
    ...actGaps(view, acts),
    ...spendGaps(view.spend),
    ...placeGaps(view.turns),
    ...checkoutGaps(view),
  ];
}

function actGaps({ turns, checkout }: SessionView, acts: readonly RunAct[]): string[] {
  const over = turns.filter(({ state }) => state === 'ended');
  const blind = over.filter(({ actsObserved }) => actsObserved === 'unobservable').length;
  const unknown = over.filter((turn) => !knowsActs(turn)).length;
  const byHand = turns.filter(({ origin }) => origin === 'terminal').length;
  const open = acts.filter(({ outcome }) => outcome === 'unknown').length;
  return [
    ...(blind > 0
      ? [
          `${plural(blind, 'turn tells', 'turns tell')} no acts: they are witnessed only, by the refs that moved.${checkout?.grade?.grade === 'sealed' ? '' : ' A deploy or a release moves none, and would not be seen.'}`,
        ]
      : []),
    ...(unknown > 0
      ? [`What ${plural(unknown, 'turn', 'turns')} did is not known: neither told nor witnessed.`]
      : []),
    ...(byHand > 0
      ? [
          `A person drove by hand in ${plural(byHand, 'turn', 'turns')}; of that there is no stream.`,
        ]
      : []),
    ...(open > 0
      ? [
          `What became of ${plural(open, 'act', 'acts')} is not known. Look at the remote before you rely on it.`,
        ]
      : []),
  ];
}

function spendGaps(spend: SpendTotals): string[] {
  // Of what is unmetered no price is missing: nobody knows how much there is to price.
  const { unmetered: _unmetered, ...metered } = spend;
  const unpriced = Object.values(metered).reduce((sum, total) => sum + total.unpriced, 0);
  return [
    ...(spend.unmetered ? ['Part of what it cost cannot be known: it is unmetered.'] : []),
    ...(spend.unsettled ? ['A turn ended without a final figure: what it cost is unsettled.'] : []),
    ...(unpriced > 0 && !spend.rehearsal
      ? [`${plural(unpriced, 'figure has', 'figures have')} no known price.`]
      : []),
  ];
}

function placeGaps(turns: readonly TurnView[]): string[] {
  const skipped = new Set(turns.flatMap(({ witnessed }) => witnessed?.skipped ?? []));
  const others = turns.reduce((sum, { witnessed }) => sum + (witnessed?.others ?? 0), 0);
  return [
    ...[...skipped].map((why) => `Refs that were not compared: ${why}`),
    ...(others > 0
      ? [`${plural(others, 'ref', 'refs')} moved meanwhile, author unknown: nobody is blamed.`]
      : []),
  ];
}

function checkoutGaps({ checkout }: SessionView): string[] {
  if (!checkout) return [];
  const files = checkout.uncommittedFiles;
  return files > 0
    ? [`${plural(files, 'changed file is', 'changed files are')} in no commit.`]
    : [];
}
