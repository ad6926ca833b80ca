import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { budgetsQuery } from '../api/budgets.ts';
import type { Place } from '../api/place.ts';
import { cliTwin } from '../format/cli.ts';
import { PlaceChoice } from '../machines/place-choice.tsx';
import { Section } from '../ui/page.tsx';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';
import { BudgetForm } from './budget-form.tsx';
import { Standings } from './standings.tsx';

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
          <Standings budgets={budgets.data} removable />
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
