import { formatCount } from '../format/locale.ts';
import { useQuery } from '@tanstack/react-query';
import { Link2, ShieldAlert, ShieldCheck } from 'lucide-react';
import { type ChainTally, sayFinding } from '../../protocol/chain.ts';
import { chainsQuery } from '../api/chains.ts';
import { cliTwin } from '../format/cli.ts';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { Command } from '../ui/copy.tsx';
import { ErrorPanel } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';

const counted = (count: number, one: string) =>
  `${formatCount(count)} ${count === 1 ? one : `${one}s`}`;

/**
 * Whether the ledgers are what was recorded. Every record is read for it, so the page of acts asks
 * first; a report says it at once.
 */
export function ChainMark({ atOnce = false }: { atOnce?: boolean }) {
  const query = useQuery({ ...chainsQuery, enabled: atOnce });
  const { data, isFetching, isError, error, refetch, dataUpdatedAt } = query;
  const compare = () => void refetch();
  if (isError && !data) return <ErrorPanel error={error} retry={compare} />;
  return (
    <section aria-label="Chain of the ledgers" aria-live="polite" className="mb-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {data ? <Standing tally={data} /> : <Unasked fetching={isFetching} />}
        {data && (
          <span className="text-faint">
            compared <Ago at={dataUpdatedAt} />
          </span>
        )}
        <span className="print:hidden">
          <Button onClick={compare} reason={isFetching ? 'The ledgers are being compared.' : null}>
            {data ? 'Compare again' : 'Compare'}
          </Button>
        </span>
      </p>
      {data && data.broken.length > 0 && <Broken tally={data} />}
    </section>
  );
}

function Unasked({ fetching }: { fetching: boolean }) {
  return (
    <span className="flex items-center gap-2 text-soft">
      <Link2 aria-hidden className="size-4" />
      {fetching
        ? 'Comparing every row with the chain of its session …'
        : 'Each row here is a link of its session’s chain. Compare them to see whether one was changed.'}
    </span>
  );
}

function Standing({ tally: { sessions, rows, earlier, broken } }: { tally: ChainTally }) {
  const compared = `${counted(rows, 'row')} of ${counted(sessions, 'session')}`;
  const older = earlier > 0 ? `; ${counted(earlier, 'row')} from before there were chains` : '';
  if (broken.length > 0)
    return (
      <span className="flex items-center gap-2 font-medium text-red">
        <ShieldAlert aria-hidden className="size-4" />
        {counted(broken.length, 'session')} no longer hold{broken.length === 1 ? 's' : ''}: rows
        were changed after they were recorded
      </span>
    );
  if (sessions === 0) return <span className="text-soft">No session has a chain yet{older}.</span>;
  return (
    <span className="flex items-center gap-2">
      <ShieldCheck aria-hidden className="size-4 text-green" />
      <span>
        <span className="text-green">Unchanged</span>: {compared}
        {older}
      </span>
    </span>
  );
}

function Broken({ tally: { broken } }: { tally: ChainTally }) {
  return (
    <div className="mt-2 rounded-md border border-line bg-red-wash p-3">
      {broken.map(({ sessionId, sessionTitle, findings, faults }) => (
        <section key={sessionId} className="mb-2">
          <a href={paths.session(sessionId)} className="font-medium">
            {sessionTitle ?? `${sessionId} (its row is gone)`}
          </a>
          <ul className="list-disc pl-5">
            {findings.map((finding) => (
              <li key={`${finding.fault} ${finding.number} ${finding.ledger} ${finding.key}`}>
                {sayFinding(finding)}
              </li>
            ))}
            {faults > findings.length && <li>and {faults - findings.length} more</li>}
          </ul>
        </section>
      ))}
      <p className="text-soft">
        Keep a copy of the data directory as it is, and compare it with an export or a backup.
      </p>
      <Command text={cliTwin.verify()} />
    </div>
  );
}
