import { useId, type Ref } from 'react';
import { adrStatus } from '../../protocol/adr-report.ts';
import { Segmented } from '../ui/segmented.tsx';
import { type DecisionsSearch, type Shown, SHOWN } from './filter.ts';

const LABELS: Record<Shown, string> = {
  all: 'All',
  failing: 'Violated',
  unchecked: 'Not checked',
  waived: 'Waived',
};

type FilterBarProps = {
  search: DecisionsSearch;
  counts: Record<Shown, number>;
  choose: (change: DecisionsSearch) => void;
  textField: Ref<HTMLInputElement>;
};

/** Which records are shown. All of it is in the address, so that a link shows the same. */
export function FilterBar({ search, counts, choose, textField }: FilterBarProps) {
  const id = useId();
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <Segmented
        label="Show"
        value={search.show ?? 'all'}
        options={SHOWN.map((value) => ({ value, label: `${LABELS[value]} ${counts[value]}` }))}
        onChoose={(show) => choose({ show: show === 'all' ? undefined : show })}
      />
      <label htmlFor={`${id}-status`} className="sr-only">
        Status
      </label>
      <select
        id={`${id}-status`}
        value={search.status ?? ''}
        onChange={(event) => choose({ status: adrStatus.safeParse(event.target.value).data })}
        className="h-8 rounded-md border border-line-strong bg-raised px-2"
      >
        <option value="">Any status</option>
        {adrStatus.options.map((status) => (
          <option key={status} value={status}>
            {status}
          </option>
        ))}
      </select>
      <input
        ref={textField}
        type="search"
        aria-label="Filter records"
        placeholder="Number, title, path or rule  ( / )"
        value={search.text ?? ''}
        onChange={(event) => choose({ text: event.target.value || undefined })}
        className="h-8 min-w-40 flex-1 rounded-md border border-line-strong bg-raised px-3"
      />
    </div>
  );
}
