import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { nameOf, type RunSide, sayChanged } from '../../protocol/run-compare.ts';
import { STANDING_WORDS } from '../../protocol/run-markdown.ts';
import type { Standing } from '../../protocol/run-standing.ts';
import { OWN_FORM } from '../format/locale.ts';
import { formatDuration } from '../format/time.ts';
import { plural } from '../format/count.ts';
import { actWord } from '../transcript/act-mark.tsx';
import { Spend } from '../ui/spend.tsx';

const TONES: Record<Standing, string> = {
  starting: 'text-accent',
  working: 'text-accent',
  needs_person: 'text-amber',
  done: 'text-green',
  unproven: 'text-amber',
  failed: 'text-red',
};

const ROWS: readonly { name: string; tell: (side: RunSide) => ReactNode }[] = [
  {
    name: 'Standing',
    tell: ({ standing }) => <span className={TONES[standing]}>{STANDING_WORDS[standing]}</span>,
  },
  { name: 'Model', tell: ({ engine }) => engine.model ?? 'not known' },
  { name: 'Machine', tell: ({ machine, grade }) => [machine, grade].filter(Boolean).join(', ') },
  { name: 'Driven by', tell: ({ mode }) => DRIVERS[mode] },
  {
    name: 'Turns',
    tell: ({ turns, turnsByPilot }) =>
      turnsByPilot > 0 ? `${turns}, ${turnsByPilot} by the Pilot` : turns,
  },
  { name: 'A turn', tell: ({ medianTurnMs }) => formatDuration(medianTurnMs) },
  { name: 'At work', tell: ({ workedMs }) => formatDuration(workedMs) },
  { name: 'Spend', tell: ({ spend }) => <Spend totals={spend} wordy /> },
  {
    name: 'In the cost',
    tell: ({ cost }) => (cost.comparable ? cost.kind : <span title={cost.why}>left out</span>),
  },
  { name: 'Acts', tell: ({ acts }) => sayActs(acts) },
  { name: 'Changed', tell: (side) => sayChanged(side, OWN_FORM) },
  { name: 'Approvals', tell: ({ approvals }) => approvals },
  {
    name: 'Not known',
    tell: ({ gaps }) =>
      gaps.length === 0 ? (
        'nothing'
      ) : (
        <span title={gaps.join('\n')}>{plural(gaps.length, 'gap')}</span>
      ),
  },
];

const DRIVERS = { manual: 'a person', co_pilot: 'the co-pilot', pilot: 'the Pilot' } as const;

function sayActs(acts: RunSide['acts']): string {
  const told = Object.entries(acts).map(([kind, count]) => `${count} ${actWord(kind)}`);
  return told.length > 0 ? told.join(', ') : 'none';
}

type SidesTableProps = { sides: readonly RunSide[]; remove: (sessionId: string) => void };

/** A column for each run, a row for each thing that can be held beside another. */
export function SidesTable({ sides, remove }: SidesTableProps) {
  return (
    <section
      aria-label="Runs side by side"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
      tabIndex={0}
      className="scroll-shadows overflow-x-auto rounded-md border bg-raised"
    >
      <table className="w-full border-collapse [&_td]:px-3 [&_td]:py-1.5 [&_th]:px-3 [&_th]:py-1.5 [&_tr]:border-t first:[&_tr]:border-t-0">
        <thead>
          <tr className="align-top">
            <th scope="col">
              <span className="sr-only">What</span>
            </th>
            {sides.map((side) => (
              <th key={side.sessionId} scope="col" className="min-w-44 text-left font-medium">
                <span className="flex items-start gap-2">
                  <Link
                    to="/sessions/$sessionId"
                    params={{ sessionId: side.sessionId }}
                    className="min-w-0 flex-1 text-accent"
                  >
                    {nameOf(side)}
                  </Link>
                  <button
                    type="button"
                    aria-label={`Take ${nameOf(side)} out`}
                    onClick={() => remove(side.sessionId)}
                    className="grid size-6 place-items-center rounded text-faint hover:bg-sunken hover:text-ink"
                  >
                    <X />
                  </button>
                </span>
                <span className="block text-sm font-normal text-soft">{side.title}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(({ name, tell }) => (
            <tr key={name} className="align-top">
              <th
                scope="row"
                className="text-left text-sm font-normal whitespace-nowrap text-faint"
              >
                {name}
              </th>
              {sides.map((side) => (
                <td key={side.sessionId}>{tell(side)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
