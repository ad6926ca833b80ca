import { Anchor } from 'lucide-react';
import type { ActOutcome } from '../../protocol/act.ts';
import { describeMove, joinWitnesses } from '../../protocol/witness.ts';
import type { MarkedAct } from '../feed/items.ts';
import { cx } from '../lib/class-names.ts';

/** What became of an act, in one word on every page. Only what is not known is alarming. */
const ACT_OUTCOMES: Record<ActOutcome, { word: string; className: string }> = {
  done: { word: 'done', className: 'text-ink' },
  not_done: { word: 'not done', className: 'text-faint' },
  unknown: { word: 'not known', className: 'text-red' },
};

/** Where an act stands: what became of it, or what it is at. */
export function actStanding(
  outcome: ActOutcome | null,
  waiting: boolean,
): { word: string; className: string } {
  if (outcome) return ACT_OUTCOMES[outcome];
  return waiting
    ? { word: 'waits for you', className: 'text-amber' }
    : { word: 'under way', className: 'text-accent' };
}

/** A kind of act as people write it: `pull request`. */
export const actWord = (kind: string): string => kind.replaceAll('_', ' ');

/** What the witnesses beside the first one have to say, a line each. */
export function evidenceOf(witnesses: MarkedAct['witnesses']): string {
  return witnesses
    .map(({ move, evidence }) =>
      [move && `${describeMove(move)}.`, evidence].filter(Boolean).join(' '),
    )
    .join('\n');
}

/** A consequential command where it happened: what, on what, and what became of it. */
export function ActMark({
  marked: { act, outcome, reason, witnesses },
  waiting = false,
}: {
  marked: MarkedAct;
  waiting?: boolean;
}) {
  const { word, className } = actStanding(outcome, waiting);
  const { difference } = joinWitnesses(act.witness, witnesses);
  return (
    <span
      className="inline-flex max-w-full items-center gap-1 rounded-sm border border-line-strong px-1.5 text-xs"
      title={[act.command, act.uncertain && 'Not all of this command could be seen.', reason]
        .filter(Boolean)
        .join('\n')}
      data-act={act.kind}
    >
      <Anchor className="size-3!" />
      <span className="font-medium whitespace-nowrap">{actWord(act.kind)}</span>
      {act.target !== null && <span className="truncate text-soft">{act.target}</span>}
      {act.uncertain && <span className="text-faint">uncertain</span>}
      <span className={cx('whitespace-nowrap', className)}>{word}</span>
      {difference !== null && (
        <span className="whitespace-nowrap text-amber" title={evidenceOf(witnesses)}>
          {difference}
        </span>
      )}
    </span>
  );
}
