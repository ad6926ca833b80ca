import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { ACT_KINDS } from '../../protocol/act.ts';
import type { ActRow } from '../../protocol/http.ts';
import { actsQuery } from '../api/queries.ts';
import { joinWitnesses, sayWitnesses } from '../../protocol/witness.ts';
import { actStanding, actWord, evidenceOf } from '../transcript/act-mark.tsx';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { RehearsalLabel } from '../ui/rehearsal-label.tsx';
import { Empty, ErrorPanel, Skeleton } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Ago } from '../ui/time.tsx';

const COLUMNS = ['When', 'Act', 'Outcome', 'Target', 'Session', 'Command', 'Seen in'];

/** The ledger of everything that left a checkout. */
export function ActsPage() {
  const [kind, setKind] = useState('');
  const id = useId();
  const query = useInfiniteQuery(actsQuery(kind === '' ? {} : { kind }));
  const acts = query.data?.pages.flatMap((page) => page.items);
  return (
    <Page
      title="Acts"
      aside={
        <span className="flex items-center gap-2">
          <label htmlFor={id} className="text-sm text-soft">
            Kind
          </label>
          <select
            id={id}
            value={kind}
            onChange={(event) => setKind(event.target.value)}
            className="h-8 rounded-md border border-line-strong bg-raised px-2"
          >
            <option value="">All</option>
            {ACT_KINDS.map((candidate) => (
              <option key={candidate} value={candidate}>
                {actWord(candidate)}
              </option>
            ))}
          </select>
        </span>
      }
    >
      {query.isPending && <Skeleton label="Reading the acts" />}
      {query.isError && !acts && (
        <ErrorPanel error={query.error} retry={() => void query.refetch()} />
      )}
      {acts?.length === 0 && (
        <Empty title={kind === '' ? 'No act was seen yet' : `No ${actWord(kind)} was seen`}>
          An act is a command that leaves the checkout or cannot be taken back: a push, a merge, a
          deploy, a deletion. Each one that a session makes is kept here for good.
        </Empty>
      )}
      {acts && acts.length > 0 && (
        <Table label="Acts" columns={COLUMNS}>
          {acts.map((act) => (
            <ActLine key={act.actId} act={act} />
          ))}
        </Table>
      )}
      {query.hasNextPage && (
        <div className="mt-3 flex justify-center">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older acts
          </Button>
        </div>
      )}
    </Page>
  );
}

function ActLine({ act }: { act: ActRow }) {
  const outcome = actStanding(act.outcome, act.waiting);
  const seen = joinWitnesses(act.witness, act.witnesses);
  return (
    <tr data-act={act.kind}>
      <td className="text-soft">
        <Ago at={act.at} />
      </td>
      <td className="font-medium">
        <span className="flex items-center gap-2">
          {actWord(act.kind)}
          {act.rehearsal && <RehearsalLabel />}
        </span>
      </td>
      <td className={outcome.className}>{outcome.word}</td>
      <td className="max-w-48 truncate text-soft" title={act.target ?? ''}>
        {act.target ?? '—'}
      </td>
      <td className="max-w-56">
        <Link
          to="/sessions/$sessionId"
          params={{ sessionId: act.sessionId }}
          className="block truncate text-accent"
        >
          {act.sessionTitle}
        </Link>
      </td>
      <td className="max-w-80 truncate" title={act.command}>
        <code className="text-sm">{act.command}</code>
      </td>
      <td
        className="text-soft"
        title={[evidenceOf(act.witnesses), act.uncertain && 'Not all of the command could be seen.']
          .filter(Boolean)
          .join('\n')}
      >
        {sayWitnesses(seen)}
        {act.uncertain && ', uncertain'}
        {seen.difference !== null && <span className="text-amber">, {seen.difference}</span>}
      </td>
    </tr>
  );
}
