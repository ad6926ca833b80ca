import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type BudgetStanding,
  sayAmount,
  sayRenewal,
  sayScope,
} from '../../protocol/shared-budget.ts';
import { BUDGETS_KEY, budgetsQuery, saveBudget } from '../api/budgets.ts';
import type { Place } from '../api/place.ts';
import { cliTwin } from '../format/cli.ts';
import { usePress } from '../lib/use-press.ts';
import { PlaceChoice } from '../machines/place-choice.tsx';
import { Button } from '../ui/button.tsx';
import { Section } from '../ui/page.tsx';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';
import { BudgetForm } from './budget-form.tsx';

const WORDS = {
  all: 'Of the account',
  toAll: 'A budget of the account',
  toOne: 'A budget of one repository…',
  show: 'Set its budget',
};

/** What sessions may use together: how each budget stands, and one to set or change. */
export function BudgetSettings() {
  const [place, setPlace] = useState<Place>(null);
  const budgets = useQuery(budgetsQuery);
  return (
    <Section title="What sessions may use together">
      <p className="mb-3 text-soft">
        Before each turn a share of what is left is granted to it. With nothing left, instructions
        are refused until the budget renews or is raised.
      </p>
      {budgets.isError && !budgets.data ? (
        <ErrorPanel error={budgets.error} retry={() => void budgets.refetch()} />
      ) : budgets.data ? (
        <>
          <Standings budgets={budgets.data} />
          <PlaceChoice place={place} choose={setPlace} words={WORDS} />
          <BudgetForm key={place?.directory ?? ''} place={place} />
        </>
      ) : (
        <Skeleton label="Reading the budgets" />
      )}
      <p className="mt-3 text-sm break-all text-faint">
        <code>{cliTwin.budgets(place?.directory ?? null)}</code>
      </p>
    </Section>
  );
}

function Standings({ budgets }: { budgets: readonly BudgetStanding[] }) {
  if (budgets.length === 0)
    return <p className="mb-3 text-sm text-soft">There is no budget: nothing is limited.</p>;
  return (
    <ul aria-label="Budgets" className="mb-3 divide-y rounded-md border bg-raised">
      {budgets.map((budget) => (
        <Standing
          key={JSON.stringify([budget.scope, budget.unit, budget.renews])}
          budget={budget}
        />
      ))}
    </ul>
  );
}

function Standing({ budget }: { budget: BudgetStanding }) {
  const client = useQueryClient();
  const { scope, unit, renews, limit, used, reserved, counts, zone, version } = budget;
  const removing = usePress({
    mutationFn: () =>
      saveBudget({ scope, unit, renews, counts, zone, limit: null, basedOn: version }),
    onSettled: () => client.invalidateQueries({ queryKey: BUDGETS_KEY }),
  });
  const name = `${sayAmount(unit, limit)} ${renews === 'daily' ? 'a day' : 'in all'}`;
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-3 py-2">
      <div className="min-w-0 flex-1 basis-56">
        <p>
          <span className="font-medium">{name}</span>{' '}
          <span className="break-all text-soft">of {sayScope(scope)}</span>
        </p>
        <p className={used >= limit ? 'text-sm text-red' : 'text-sm text-soft'}>
          {sayAmount(unit, used)} used
          {reserved > 0 && `, ${sayAmount(unit, reserved)} granted to turns under way`}
          {unit === 'dollars' &&
            (counts === 'all' ? '; notional dollars count' : '; paid dollars alone count')}
          . {sayRenewal(budget)}.
        </p>
        {removing.isError && <ErrorPanel error={removing.error} retry={() => removing.mutate()} />}
      </div>
      <Button
        size="small"
        busy={removing.isPending}
        aria-label={`Remove ${name} of ${sayScope(scope)}`}
        onClick={() => removing.mutate()}
      >
        Remove
      </Button>
    </li>
  );
}
