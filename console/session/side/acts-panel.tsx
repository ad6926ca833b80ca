import { doerOf, sayDoer } from '../../../protocol/actor.ts';
import type { Witness } from '../../../protocol/act.ts';
import type { Item, MarkedAct } from '../../feed/items.ts';
import { joinWitnesses, sayWitnesses } from '../../../protocol/witness.ts';
import { actStanding, actWord, evidenceOf } from '../../transcript/act-mark.tsx';
import { Ago } from '../../ui/time.tsx';
import { Nothing } from './facts.tsx';

type SeenAct = MarkedAct & { at: number };

/** The acts of a transcript in their order, wherever they were seen. */
export function listActs(items: readonly Item[]): SeenAct[] {
  return items.flatMap((item) => {
    if (item.kind === 'act') return [{ ...item.marked, at: item.at }];
    return item.kind === 'tool' ? item.acts.map((marked) => ({ ...marked, at: item.at })) : [];
  });
}

type ActsPanelProps = {
  items: readonly Item[];
  pending: readonly { toolId: string | null }[];
  /** Whose session it is, and who gave the instructions. */
  given: Parameters<typeof doerOf>[0];
  /** What its machine is called. */
  machine: string;
};

/** What this session did that cannot be taken back. */
export function ActsPanel({ items, pending, given, machine }: ActsPanelProps) {
  const asked = new Set(pending.map(({ toolId }) => toolId));
  const acts = listActs(items);
  if (acts.length === 0) {
    return (
      <Nothing>
        None seen. Pushes, merges, deploys and other commands that leave the checkout are listed
        here.
      </Nothing>
    );
  }
  return (
    <ol className="divide-y rounded-md border bg-raised">
      {acts.map(({ act, outcome, reason, witnesses, at }) => (
        <li key={act.actId} className="px-3 py-2">
          <div className="flex items-baseline gap-2">
            <span className="font-medium">{actWord(act.kind)}</span>
            {act.target !== null && (
              <span className="min-w-0 flex-1 truncate text-soft">{act.target}</span>
            )}
            <Standing {...actStanding(outcome, act.toolId !== null && asked.has(act.toolId))} />
          </div>
          <code className="block text-sm break-words text-soft">{act.command}</code>
          {reason !== null && <p className="text-sm break-words">{reason}</p>}
          <p className="text-sm text-faint">
            <Ago at={at} /> · by {sayDoer(doerOf(given, act.turnId))} on {machine} ·{' '}
            <Seen first={act.witness} others={witnesses} />
            {act.uncertain && ' · not all of the command could be seen'}
          </p>
        </li>
      ))}
    </ol>
  );
}

function Seen({ first, others }: { first: Witness; others: MarkedAct['witnesses'] }) {
  const joined = joinWitnesses(first, others);
  return (
    <span title={evidenceOf(others)}>
      seen in the {sayWitnesses(joined)}
      {joined.difference !== null && <span className="text-amber">, {joined.difference}</span>}
    </span>
  );
}

function Standing({ word, className }: ReturnType<typeof actStanding>) {
  return <span className={`ml-auto ${className}`}>{word}</span>;
}
