import { type BudgetVersion, sayAmount } from '../../protocol/shared-budget.ts';
import { OWN_FORM } from '../format/locale.ts';
import { Ago } from '../ui/time.tsx';

/** Every version of one budget, the newest first: what it was, from when on, and who said so. */
export function BudgetHistory({ versions }: { versions: readonly BudgetVersion[] }) {
  if (versions.length === 0) return <p className="text-sm text-soft">Nobody has set it yet.</p>;
  return (
    <ol
      aria-label="Versions of this budget, the newest first"
      className="divide-y rounded-md border bg-raised"
    >
      {versions.map((version, index) => (
        <li key={version.version} className="flex flex-wrap items-baseline gap-x-3 px-3 py-2">
          <span className="font-medium">Version {version.version}</span>
          <span className="min-w-0 flex-1 basis-56 text-soft">{sayTerms(version)}</span>
          <span className="text-sm text-faint">
            {version.savedBy === 'cli' ? 'by command line' : 'in the console'},{' '}
            <Ago at={version.savedAt} />
            {index === 0 && ' · it is so now'}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** What one version says, without what the whole list has in common. Pure. */
export function sayTerms({ unit, limit, counts, renews, zone }: BudgetVersion): string {
  if (limit === null) return 'removed';
  return [
    sayAmount(unit, limit, OWN_FORM),
    ...(unit === 'dollars' ? [counts === 'all' ? 'notional too' : 'paid alone'] : []),
    ...(renews === 'daily' ? [`days of ${zone}`] : []),
  ].join(', ');
}
