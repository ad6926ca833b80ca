import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { BudgetStanding, SaveBudgetRequest } from '../../protocol/shared-budget.ts';
import { BUDGETS_KEY, budgetVersions, saveBudget } from '../api/budgets.ts';
import { usePress } from '../lib/use-press.ts';
import { Field, inputClass } from '../ui/field.tsx';
import { FormEnd } from '../ui/form-end.tsx';
import { readAmount } from './draft.ts';

const ACCOUNT = { kind: 'account' } as const;

/** Sets a budget of the account; those of repositories are set on the command line. */
export function BudgetForm({ budgets }: { budgets: readonly BudgetStanding[] }) {
  const client = useQueryClient();
  const ids = { amount: useId(), unit: useId(), renews: useId(), counts: useId() };
  const [amount, setAmount] = useState('');
  const [unit, setUnit] = useState<BudgetStanding['unit']>('dollars');
  const [renews, setRenews] = useState<BudgetStanding['renews']>('daily');
  const [counts, setCounts] = useState<BudgetStanding['counts']>('all');
  const read = readAmount(unit, amount);
  const saving = usePress({
    mutationFn: async (limit: number) => {
      const key = { scope: ACCOUNT, unit, renews };
      const [newest] = await budgetVersions(key);
      const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const zone = newest?.zone ?? here;
      const request: SaveBudgetRequest = {
        ...key,
        limit,
        counts,
        zone,
        basedOn: newest?.version ?? 0,
      };
      return saveBudget(request);
    },
    onSuccess: () => setAmount(''),
    onSettled: () => client.invalidateQueries({ queryKey: BUDGETS_KEY }),
  });
  const standing = budgets.find(
    (each) => each.scope.kind === 'account' && each.unit === unit && each.renews === renews,
  );
  const save = () => {
    if (read.ok) saving.mutate(read.limit);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  return (
    <form onSubmit={submit} className="rounded-md border bg-raised p-3">
      <div className="grid gap-x-3 sm:grid-cols-2">
        <Field id={ids.amount} label="Budget of the account">
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
      <FormEnd press={saving} retry={save} reason={read.ok ? null : read.problem}>
        {standing ? 'Change the budget' : 'Set the budget'}
      </FormEnd>
    </form>
  );
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
