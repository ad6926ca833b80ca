import { useDeferredValue, useRef, useState } from 'react';
import type { AdrReport } from '../../protocol/adr-report.ts';
import type { ReportSummary } from '../../protocol/decisions.ts';
import { useShortcuts } from '../lib/use-shortcuts.ts';
import { FilterBar } from './filter-bar.tsx';
import { countShown, type DecisionsSearch, filterRecords } from './filter.ts';
import { RecordRow } from './record-row.tsx';
import { ShowMore, useMore } from './show-more.tsx';

type RecordListProps = {
  report: AdrReport;
  run: ReportSummary;
  search: DecisionsSearch;
  choose: (change: DecisionsSearch) => void;
};

/** Moves the focus by so many records, from the one that has it or from above the first. */
function moveFocus(list: HTMLElement | null, by: 1 | -1): void {
  const buttons = [...(list?.querySelectorAll<HTMLElement>('[data-record-button]') ?? [])];
  const focused = document.activeElement?.closest('[data-record]');
  const at = buttons.findIndex((button) => focused?.contains(button));
  buttons[Math.min(buttons.length - 1, Math.max(0, at + by))]?.focus();
}

/** The records of a report, filtered, each to be opened. */
export function RecordList({ report, run, search, choose }: RecordListProps) {
  const { records } = report;
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const list = useRef<HTMLUListElement>(null);
  const textField = useRef<HTMLInputElement>(null);
  const found = filterRecords(records, useDeferredValue(search));
  const more = useMore(found, 100, 200);
  const [counts] = useState(() => countShown(records));
  useShortcuts({
    '/': () => textField.current?.focus(),
    j: () => moveFocus(list.current, 1),
    k: () => moveFocus(list.current, -1),
  });
  const toggle = (index: number) =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(index)) next.add(index);
      return next;
    });
  const jump = (id: string) => {
    const index = records.findIndex((record) => record.id === id);
    if (index < 0) return;
    choose({ show: undefined, status: undefined, text: undefined });
    more.reach(index);
    setOpen((before) => new Set(before).add(index));
    // The record is drawn once the filter is gone, which is after the next frames.
    setTimeout(() => document.getElementById(`record-${index}`)?.focus(), 60);
  };
  return (
    <>
      <FilterBar search={search} counts={counts} choose={choose} textField={textField} />
      {found.length === 0 ? (
        <p className="rounded-md border border-dashed border-line-strong px-4 py-6 text-center text-soft">
          {records.length === 0
            ? 'The check found no record at all. Is it run where the records are?'
            : 'No record is left by this filter.'}
        </p>
      ) : (
        <ul
          ref={list}
          aria-label="Records"
          className="divide-y overflow-hidden rounded-md border bg-raised"
        >
          {more.shown.map(({ record, index }) => (
            <RecordRow
              key={index}
              record={record}
              index={index}
              run={run}
              open={open.has(index)}
              toggle={toggle}
              jump={jump}
            />
          ))}
        </ul>
      )}
      <ShowMore more={more} what="records" />
    </>
  );
}
