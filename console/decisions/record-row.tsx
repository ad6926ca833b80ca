import { ChevronRight } from 'lucide-react';
import { memo } from 'react';
import type { AdrRecordResult } from '../../protocol/adr-report.ts';
import { verdictOfRecord } from '../../protocol/decision-results.ts';
import type { ReportSummary } from '../../protocol/decisions.ts';
import { plural } from '../format/count.ts';
import { cx } from '../lib/class-names.ts';
import { Findings } from './findings.tsx';
import { RecordLinks } from './record-links.tsx';
import { RuleItem } from './rule-item.tsx';
import { VerdictMark } from './verdict-mark.tsx';
import { cutText, showInvisible } from './visible.ts';
import { STATUS_WORDS, VERDICTS } from './words.ts';

type RecordRowProps = {
  record: AdrRecordResult;
  index: number;
  run: ReportSummary;
  open: boolean;
  toggle: (index: number) => void;
  jump: (id: string) => void;
};

/** What enforces a record, in a few words: `2 enforced, 1 advisory`. */
function describeEnforcement({ rules }: AdrRecordResult): string {
  const enforced = rules.filter(({ level }) => level === 'enforced').length;
  const advisory = rules.length - enforced;
  const parts = [
    enforced > 0 && `${plural(enforced, 'rule')} enforced`,
    advisory > 0 && `${advisory} advisory`,
  ];
  return parts.filter(Boolean).join(', ') || 'no rules';
}

const showTitle = (title: string) => showInvisible(cutText(title, 300).text);

/** One record as a line; pressed, what enforces it and what was found. */
export const RecordRow = memo(function RecordRow(props: RecordRowProps) {
  const { record, index, open, toggle } = props;
  const verdict = verdictOfRecord(record);
  return (
    <li data-record={record.id} data-verdict={verdict}>
      <button
        type="button"
        id={`record-${index}`}
        data-record-button
        aria-expanded={open}
        aria-controls={`record-${index}-detail`}
        onClick={() => toggle(index)}
        className="grid w-full grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 px-3 py-2 text-left hover:bg-sunken md:min-h-9 md:grid-cols-[16px_44px_minmax(0,1fr)_84px_84px_176px_148px] md:py-1"
      >
        <ChevronRight
          aria-hidden
          className={cx('text-faint transition-transform duration-150', open && 'rotate-90')}
        />
        <span className="figure hidden text-sm text-faint md:inline">
          {showInvisible(record.id.slice(0, 12))}
        </span>
        <span className="min-w-0 truncate font-medium">
          <span className="figure mr-2 text-sm font-normal text-faint md:hidden">
            {showInvisible(record.id.slice(0, 12))}
          </span>
          {showTitle(record.title)}
        </span>
        <span
          className={cx(
            'hidden text-sm md:inline',
            record.status === 'accepted' ? 'text-ink' : 'text-faint',
          )}
        >
          {STATUS_WORDS[record.status]}
        </span>
        <span className="figure hidden text-sm text-soft md:inline">
          {showInvisible(record.date?.slice(0, 10) ?? '—')}
        </span>
        <span className="col-span-2 col-start-2 row-start-2 text-sm text-soft md:col-auto md:row-auto">
          <span className="md:hidden">{STATUS_WORDS[record.status]} · </span>
          {describeEnforcement(record)}
        </span>
        <span className="col-start-3 row-start-1 text-sm md:col-auto md:row-auto">
          <VerdictMark look={VERDICTS[verdict]} />
        </span>
      </button>
      {open && <RecordDetail {...props} />}
    </li>
  );
});

function RecordDetail({ record, index, run, jump }: RecordRowProps) {
  return (
    <section
      id={`record-${index}-detail`}
      aria-label={showTitle(record.title)}
      className="border-t bg-paper px-3 py-3 md:pl-10"
    >
      <p className="mb-2 font-medium break-words md:hidden">{showTitle(record.title)}</p>
      <p className="mb-2 text-sm text-soft">
        <code className="break-all">{showInvisible(record.path)}</code>
        <RecordLinks record={record} jump={jump} />
      </p>
      {record.problems.length > 0 && (
        <div className="mb-3">
          <h3
            className={cx(
              'text-sm font-semibold',
              record.problems.every(({ uncertain }) => uncertain) ? 'text-amber' : 'text-red',
            )}
          >
            The record itself
          </h3>
          <Findings findings={record.problems} label={`Problems of ${record.id}`} />
        </div>
      )}
      {record.rules.length === 0 ? (
        <p className="text-soft">
          Nothing checks this record. Give it an enforcement block, or accept that people have to
          remember it.
        </p>
      ) : (
        <ul
          aria-label={`Rules of ${record.id}`}
          className="divide-y overflow-hidden rounded-md border bg-raised"
        >
          {record.rules.map((rule, place) => (
            <RuleItem key={place} rule={rule} run={run} />
          ))}
        </ul>
      )}
    </section>
  );
}
