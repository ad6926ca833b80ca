import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { BreachRow } from '../../protocol/http.ts';
import { heldOperatorsQuery } from '../api/audit.ts';
import { plural } from '../format/count.ts';

/** An operator that writes nothing until somebody answers for what it did. */
export type HeldOperator = { instanceId: string; name: string; breaches: number };

/** The operators that are held, each once. `inBackground`: also while nobody looks at the page. */
export function useHeldOperators(inBackground = false): readonly HeldOperator[] {
  const { data = [] } = useQuery({
    ...heldOperatorsQuery,
    refetchIntervalInBackground: inBackground,
  });
  return heldOf(data);
}

/** Of open breaches, whose they are. Pure. */
function heldOf(breaches: readonly BreachRow[]): HeldOperator[] {
  const groups = Map.groupBy(breaches, ({ sessionId }) => sessionId);
  return [...groups].map(([instanceId, rows]) => ({
    instanceId,
    name: rows[0]?.sessionTitle || 'An operator',
    breaches: rows.length,
  }));
}

/** One of them in a list, leading to where it is answered for. */
export function HeldOperatorLink({
  held: { instanceId, name, breaches },
  className,
}: {
  held: HeldOperator;
  className: string;
}) {
  return (
    <Link to="/operators/$instanceId" params={{ instanceId }} className={className}>
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <span className="shrink-0 text-sm font-medium text-red">
        {plural(breaches, 'forbidden act')}
      </span>
    </Link>
  );
}
