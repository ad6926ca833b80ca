import { useQueryClient } from '@tanstack/react-query';
import { forecastBudget, sayForecast } from '../../protocol/budget-forecast.ts';
import {
  type BudgetStanding,
  sayAmount,
  sayRenewal,
  sayScope,
} from '../../protocol/shared-budget.ts';
import { BUDGETS_KEY, saveBudget } from '../api/budgets.ts';
import { OWN_FORM } from '../format/locale.ts';
import { cx } from '../lib/class-names.ts';
import { offerUndo } from '../lib/undo.ts';
import { useNow } from '../lib/use-now.ts';
import { usePress } from '../lib/use-press.ts';
import { Button } from '../ui/button.tsx';
import { ErrorPanel } from '../ui/states.tsx';
import { toneOf } from './tone.ts';

type StandingsProps = { budgets: readonly BudgetStanding[]; removable?: boolean };

/** How every budget stands, and where a daily one is going. */
export function Standings({ budgets, removable = false }: StandingsProps) {
  if (budgets.length === 0)
    return <p className="mb-3 text-sm text-soft">There is no budget: nothing is limited.</p>;
  return (
    <ul aria-label="Budgets" className="mb-3 divide-y rounded-md border bg-raised">
      {budgets.map((budget) => (
        <li
          key={JSON.stringify([budget.scope, budget.unit, budget.renews])}
          className="flex flex-wrap items-start gap-x-3 gap-y-2 px-3 py-2"
        >
          <Standing budget={budget} />
          {removable && <Removal budget={budget} />}
        </li>
      ))}
    </ul>
  );
}

const nameOf = ({ unit, limit, renews }: BudgetStanding): string =>
  `${sayAmount(unit, limit, OWN_FORM)} ${renews === 'daily' ? 'a day' : 'in all'}`;

function Standing({ budget }: { budget: BudgetStanding }) {
  const { scope, unit, limit, used, reserved, counts } = budget;
  const forecast = forecastBudget(budget, useNow());
  return (
    <div className="min-w-0 flex-1 basis-56">
      <p>
        <span className="font-medium">{nameOf(budget)}</span>{' '}
        <span className="break-all text-soft">of {sayScope(scope)}</span>
      </p>
      <Burned budget={budget} elapsed={forecast?.elapsed ?? null} />
      <p className={used >= limit ? 'text-sm text-red' : 'text-sm text-soft'}>
        {sayAmount(unit, used, OWN_FORM)} used
        {reserved > 0 && `, ${sayAmount(unit, reserved, OWN_FORM)} granted to turns under way`}
        {unit === 'dollars' &&
          (counts === 'all' ? '; notional dollars count' : '; paid dollars alone count')}
        . {forecast && `${sayForecast(budget, forecast, OWN_FORM)}. `}
        {sayRenewal(budget, OWN_FORM)}.
      </p>
    </div>
  );
}

/** What is used and granted of it, beside how much of its day is over. The words below say the same. */
function Burned({ budget, elapsed }: { budget: BudgetStanding; elapsed: number | null }) {
  const { used, reserved, limit } = budget;
  const widthOf = (amount: number) => ({ width: `${Math.min(1, amount / limit) * 100}%` });
  const look = toneOf(used / limit);
  return (
    <div aria-hidden className="relative my-1.5 h-1.5 rounded-full bg-sunken">
      <div
        className={cx('absolute inset-y-0 left-0 rounded-full opacity-30', look)}
        style={widthOf(used + reserved)}
      />
      <div className={cx('absolute inset-y-0 left-0 rounded-full', look)} style={widthOf(used)} />
      {elapsed !== null && (
        <div
          title="So much of its day is over"
          className="absolute -inset-y-0.5 w-px bg-ink"
          style={{ left: `${elapsed * 100}%` }}
        />
      )}
    </div>
  );
}

function Removal({ budget }: { budget: BudgetStanding }) {
  const client = useQueryClient();
  const { scope, unit, renews, counts, zone, limit, version } = budget;
  const terms = { scope, unit, renews, counts, zone };
  const removing = usePress({
    mutationFn: () => saveBudget({ ...terms, limit: null, basedOn: version }),
    onSuccess: (removed) =>
      offerUndo({
        said: `${nameOf(budget)} is no budget any more.`,
        undo: () => saveBudget({ ...terms, limit, basedOn: removed.version }),
      }),
    onSettled: () => client.invalidateQueries({ queryKey: BUDGETS_KEY }),
  });
  return (
    <>
      <Button
        size="small"
        busy={removing.isPending}
        aria-label={`Remove ${nameOf(budget)} of ${sayScope(scope)}`}
        onClick={() => removing.mutate()}
      >
        Remove
      </Button>
      {removing.isError && (
        <div className="basis-full">
          <ErrorPanel error={removing.error} retry={() => removing.mutate()} />
        </div>
      )}
    </>
  );
}
