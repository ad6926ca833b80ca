import type { OperatorEntry } from '../../protocol/operator-http.ts';
import { Button } from '../ui/button.tsx';
import { Sentences } from './sentences.tsx';

type Actions = {
  make: (entry: OperatorEntry) => void;
  edit: (entry: OperatorEntry) => void;
  withdraw: (entry: OperatorEntry) => void;
};

/** Operators that instances can be made of, each with what it may do at most. */
export function Catalogue({
  entries,
  ...actions
}: { entries: readonly OperatorEntry[] } & Actions) {
  return (
    <ul aria-label="Operators" className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
      {entries.map((entry) => (
        <OperatorCard key={entry.definition.id} entry={entry} {...actions} />
      ))}
    </ul>
  );
}

function OperatorCard({ entry, make, edit, withdraw }: { entry: OperatorEntry } & Actions) {
  const { definition, origin, words, note } = entry;
  const own = origin === 'own';
  return (
    <li className="flex flex-col gap-2 rounded-md border bg-raised p-3">
      <div className="flex items-baseline gap-2">
        <h3 className="min-w-0 font-semibold break-words">{definition.name}</h3>
        <span className="ml-auto shrink-0 text-sm text-faint">
          {own ? `yours, version ${definition.version}` : 'with Pilothouse'}
        </span>
      </div>
      <Sentences label={`What ${definition.name} may do at most`} words={words} />
      {note !== null && <p className="text-sm text-amber">{note}</p>}
      <div className="mt-auto flex flex-wrap gap-2 pt-1">
        <Button size="small" onClick={() => make(entry)}>
          Use it
        </Button>
        <Button size="small" kind="quiet" onClick={() => edit(entry)}>
          {own ? 'New version' : 'Make your own from it'}
        </Button>
        {own && (
          <Button size="small" kind="quiet" onClick={() => withdraw(entry)}>
            Withdraw
          </Button>
        )}
      </div>
    </li>
  );
}
