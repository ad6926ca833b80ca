import { timeZoneHere } from '../format/locale.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { BudgetKey, BudgetVersion } from '../../protocol/shared-budget.ts';
import { BUDGETS_KEY, budgetVersionsQuery, saveBudget } from '../api/budgets.ts';
import { type Place, scopeOf } from '../api/place.ts';
import { cliTwin } from '../format/cli.ts';
import { offerUndo } from '../lib/undo.ts';
import { usePress } from '../lib/use-press.ts';
import { Field, inputClass } from '../ui/field.tsx';
import { FormEnd } from '../ui/form-end.tsx';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';
import { BudgetHistory } from './budget-history.tsx';
import { readAmount } from './draft.ts';

/** Sets a budget of the account or of a repository on its newest version, which is shown below. */
export function BudgetForm({ place }: { place: Place }) {
  const ids = { amount: useId(), unit: useId(), renews: useId(), counts: useId() };
  const [amount, setAmount] = useState('');
  const [unit, setUnit] = useState<BudgetKey['unit']>('dollars');
  const [renews, setRenews] = useState<BudgetKey['renews']>('daily');
  const [chosen, setCounts] = useState<BudgetVersion['counts'] | null>(null);
  const versions = useQuery(budgetVersionsQuery(place, unit, renews));
  const newest = versions.data?.[0];
  const counts = chosen ?? newest?.counts ?? 'all';
  const saving = useSave(place, newest, () => {
    setAmount('');
    setCounts(null);
  });
  const read = readAmount(unit, amount);
  const save = () => {
    if (!read.ok || !versions.data) return;
    const here = timeZoneHere();
    const based = { zone: newest?.zone ?? here, basedOn: newest?.version ?? 0 };
    saving.mutate({ unit, renews, counts, limit: read.limit, ...based });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  return (
    <>
      <form onSubmit={submit} aria-label="Budget" className="rounded-md border bg-raised p-3">
        <div className="grid gap-x-3 sm:grid-cols-2">
          <Field
            id={ids.amount}
            label={place ? 'Budget of this repository' : 'Budget of the account'}
          >
            <input
              id={ids.amount}
              value={amount}
              inputMode="decimal"
              placeholder={EXAMPLES[unit]}
              className={inputClass()}
              onChange={(event) => setAmount(event.target.value)}
            />
          </Field>
          <Choice id={ids.unit} label="In" value={unit} choose={setUnit} options={UNITS} />
          <Choice
            id={ids.renews}
            label="Renews"
            value={renews}
            choose={setRenews}
            options={RENEWALS}
          />
          {unit === 'dollars' && (
            <Choice
              id={ids.counts}
              label="Counts"
              value={counts}
              choose={setCounts}
              options={COUNTS}
            />
          )}
        </div>
        <FormEnd
          press={saving}
          retry={save}
          reason={
            read.ok ? (versions.data ? null : 'What it is now is still being read.') : read.problem
          }
          command={cliTwin.setBudget({ place, unit, renews, limit: read.ok ? read.limit : null })}
        >
          {newest && newest.limit !== null ? 'Change the budget' : 'Set the budget'}
        </FormEnd>
      </form>
      <h3 className="mt-4 mb-1.5 text-sm font-semibold text-soft">What this budget was</h3>
      {versions.isError && (
        <ErrorPanel error={versions.error} retry={() => void versions.refetch()} />
      )}
      {versions.isPending && <Skeleton label="Reading what it was" rows={2} />}
      {versions.data && <BudgetHistory versions={versions.data} />}
      <p className="mt-2 text-sm break-all text-faint">
        <code>{cliTwin.budgetHistory({ place, unit, renews })}</code>
      </p>
    </>
  );
}

type Terms = Pick<BudgetVersion, 'unit' | 'renews' | 'counts' | 'zone' | 'limit'> & {
  basedOn: number;
};

/** Saves what is given over what it was, and offers to bring that back. */
function useSave(place: Place, was: BudgetVersion | undefined, saved: () => void) {
  const client = useQueryClient();
  const scope = scopeOf(place);
  return usePress({
    mutationFn: (terms: Terms) => saveBudget({ scope, ...terms }),
    onSuccess: ({ unit, renews, counts, zone, version }) => {
      saved();
      const before = was ?? { counts, zone, limit: null };
      const terms = { counts: before.counts, zone: before.zone, limit: before.limit };
      offerUndo({
        said: 'The budget holds.',
        undo: () => saveBudget({ scope, unit, renews, basedOn: version, ...terms }),
      });
    },
    onSettled: () => client.invalidateQueries({ queryKey: BUDGETS_KEY }),
  });
}

const UNITS = { dollars: 'Dollars', tokens: 'Tokens', turns: 'Turns', time: 'Minutes of work' };
const EXAMPLES = { dollars: '20', tokens: '20M', turns: '100', time: '240' };
const RENEWALS = { daily: 'Each day', never: 'Never' };
const COUNTS = {
  all: 'All dollars, notional ones of subscriptions too',
  paid: 'Paid dollars alone',
};

type ChoiceProps<Value extends string> = {
  id: string;
  label: string;
  value: Value;
  choose: (value: Value) => void;
  options: Record<Value, string>;
};

function Choice<Value extends string>({ id, label, value, choose, options }: ChoiceProps<Value>) {
  const values = Object.keys(options) as Value[];
  return (
    <Field id={id} label={label}>
      <select
        id={id}
        value={value}
        className={inputClass()}
        onChange={(event) => choose(values.find((each) => each === event.target.value) ?? value)}
      >
        {values.map((each) => (
          <option key={each} value={each}>
            {options[each]}
          </option>
        ))}
      </select>
    </Field>
  );
}
