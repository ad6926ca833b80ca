import type { AdrReport } from '../../protocol/adr-report.ts';
import type { ReportSummary } from '../../protocol/decisions.ts';
import { plural } from '../format/count.ts';
import { formatAgo, formatDuration, formatSpan } from '../format/time.ts';
import { useNow } from '../lib/use-now.ts';
import { Ago } from '../ui/time.tsx';
import { Findings } from './findings.tsx';
import { VerdictMark } from './verdict-mark.tsx';
import { shortCommit, showInvisible } from './visible.ts';
import { RESULTS } from './words.ts';

/** From this age on, in ms, a result says first of all that it is old. */
const STALE_MS = 7 * 24 * 60 * 60_000;

/** What a run came to: its result, its figures, when, of which commit, by what. */
export function RunFacts({ run, report }: { run: ReportSummary; report?: AdrReport }) {
  const { counts, commit, mode } = run;
  return (
    <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
      <span className="text-md">
        <VerdictMark look={RESULTS[run.exitCode]} />
      </span>
      <span>{plural(counts.records, 'record')}</span>
      {counts.findings > 0 && <span>{plural(counts.findings, 'finding')}</span>}
      {counts.waived > 0 && <span>{counts.waived} waived</span>}
      <span className="text-soft">
        checked <Ago at={run.startedAt} />
        {commit !== null && (
          <>
            {' '}
            at <code title={showInvisible(commit)}>{shortCommit(commit)}</code>
          </>
        )}
      </span>
      <span className="text-soft">
        {mode === 'full'
          ? 'everything'
          : `only what changed${report?.base ? ` since ${showInvisible(report.base.slice(0, 60))}` : ''}`}
        {report && `, in ${formatDuration(report.durationMs)}`}
      </span>
    </p>
  );
}

/** What has to be known before the records are believed: age, another run, what kept it from looking. */
export function RunNotices({
  run,
  report,
  lastFull,
  showRun,
}: {
  run: ReportSummary;
  report: AdrReport;
  lastFull: ReportSummary | null;
  showRun: (reportId: string) => void;
}) {
  const now = useNow('minute');
  const age = now - run.startedAt;
  return (
    <>
      {age > STALE_MS && (
        <p
          data-notice="stale"
          className="mb-3 rounded-md border border-amber-line bg-amber-wash px-3 py-2"
        >
          Last checked {formatSpan(age)} ago
          {run.commit !== null && (
            <>
              , at <code>{shortCommit(run.commit)}</code>
            </>
          )}
          . What was committed since is not in this result.
        </p>
      )}
      {run.mode === 'change' && (
        <p data-notice="change" className="mb-3 rounded-md border bg-sunken px-3 py-2 text-soft">
          This run looked only at what changed.{' '}
          {lastFull && lastFull.reportId !== run.reportId ? (
            <button
              type="button"
              onClick={() => showRun(lastFull.reportId)}
              className="text-accent underline underline-offset-2"
            >
              The last full check was {formatAgo(lastFull.startedAt, now)}
            </button>
          ) : (
            'No full check of this branch is kept.'
          )}
        </p>
      )}
      {report.problems.length > 0 && (
        <div role="alert" className="mb-3 rounded-md border border-red-line bg-red-wash p-3">
          <h2 className="font-semibold">This kept the check from looking</h2>
          <Findings findings={report.problems} label="Problems of the check" />
        </div>
      )}
    </>
  );
}
