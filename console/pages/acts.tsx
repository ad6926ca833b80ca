import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { AccessTable } from '../acts/access-table.tsx';
import { ActsTable } from '../acts/acts-table.tsx';
import { ChainMark } from '../acts/chain.tsx';
import { ApprovalsTable } from '../acts/approvals-table.tsx';
import { BreachesList } from '../acts/breaches-list.tsx';
import { Filters } from '../acts/filters.tsx';
import { Ledger } from '../acts/ledger.tsx';
import { type ActsSearch, filterOf, isFiltered, type Shown } from '../acts/search.ts';
import { accessQuery, actsQuery, approvalsQuery, breachesQuery } from '../api/audit.ts';
import type { Window } from '../api/queries.ts';
import { cliTwin } from '../format/cli.ts';
import { PeriodChoice } from '../ledger/period-choice.tsx';
import { windowOfPeriod } from '../ledger/window.ts';
import { useNow } from '../lib/use-now.ts';
import { api } from '../paths.ts';
import { buttonClass } from '../ui/button.tsx';
import { ExportMenu } from '../ui/export-links.tsx';
import { Page } from '../ui/page.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Empty } from '../ui/states.tsx';

const LEDGERS: readonly { value: Shown; label: string }[] = [
  { value: 'acts', label: 'Acts' },
  { value: 'breaches', label: 'Breaches' },
  { value: 'approvals', label: 'Approvals' },
  { value: 'access', label: 'Access log' },
];

/** The ledgers of what was done: acts, breaches of the policy, approvals, and who changed what. */
export function ActsPage() {
  const search = useSearch({ from: '/house/acts' });
  const navigate = useNavigate();
  const now = useNow('minute');
  const change = (next: Partial<ActsSearch>) =>
    void navigate({ to: '/acts', search: { ...search, ...next }, replace: true });
  const shown = search.show ?? 'acts';
  const window = windowOfPeriod(search, 'all', now);
  return (
    <Page
      title="Acts"
      aside={
        <span className="flex flex-wrap items-center gap-2 sm:justify-end">
          <PeriodChoice period={search} usual="all" nowMs={now} choose={change} />
          <Exports shown={shown} search={search} window={window} />
          <Link
            to="/acts/report"
            search={{ time: search.time, from: search.from, to: search.to }}
            className={buttonClass()}
          >
            Report
          </Link>
        </span>
      }
    >
      <div className="mb-3">
        <Segmented
          label="Ledger"
          value={shown}
          options={LEDGERS}
          onChoose={(show) => change({ show: show === 'acts' ? undefined : show })}
        />
      </div>
      {shown !== 'access' && <ChainMark />}
      {shown === 'acts' && <Acts search={search} window={window} change={change} />}
      {shown === 'breaches' && <Breaches window={window} />}
      {shown === 'approvals' && <Approvals window={window} />}
      {shown === 'access' && <Access window={window} />}
    </Page>
  );
}

function Exports({ shown, search, window }: { shown: Shown; search: ActsSearch; window: Window }) {
  if (shown === 'breaches') return null;
  const exported = {
    acts: { path: api.actsExport, query: filterOf(search, window) },
    approvals: { path: api.approvalsExport, query: { ...window } },
    access: { path: api.accessExport, query: { ...window } },
  }[shown];
  const { session, machine, by, kind, outcome, witness, breach } = search;
  const command = {
    acts: () =>
      cliTwin.exportLedger('acts export', {
        ...window,
        session,
        machine,
        by,
        kind,
        outcome,
        witness,
        breach: breach && String(breach === 'yes'),
      }),
    approvals: () => cliTwin.exportLedger('audit approvals', { ...window }),
    access: () => cliTwin.exportLedger('audit access', { ...window }),
  }[shown]();
  return <ExportMenu {...exported} command={command} />;
}

type ActsProps = {
  search: ActsSearch;
  window: Window;
  change: (next: Partial<ActsSearch>) => void;
};

function Acts({ search, window, change }: ActsProps) {
  const query = useInfiniteQuery(actsQuery(filterOf(search, window)));
  return (
    <>
      <Filters search={search} choose={change} />
      <Ledger
        name="acts"
        query={query}
        empty={
          isFiltered(search) ? (
            <Empty title="No act is of this kind">
              Nothing that was seen fits all that is chosen above.
            </Empty>
          ) : (
            <Empty title="No act was seen yet">
              An act is a command that leaves the checkout or cannot be taken back: a push, a merge,
              a deploy, a deletion. Each one that a session makes is kept here for good.
            </Empty>
          )
        }
      >
        {(acts) => <ActsTable acts={acts} />}
      </Ledger>
    </>
  );
}

function Breaches({ window }: { window: Window }) {
  return (
    <Ledger
      name="breaches"
      query={useInfiniteQuery(breachesQuery({ ...window }))}
      empty={
        <Empty title="No breach in this time">
          An act that its policy forbids and that happened all the same is kept here, with how to
          undo it and who has answered for it.
        </Empty>
      }
    >
      {(breaches) => <BreachesList breaches={breaches} />}
    </Ledger>
  );
}

function Approvals({ window }: { window: Window }) {
  return (
    <Ledger
      name="approvals"
      query={useInfiniteQuery(approvalsQuery({ ...window }))}
      empty={
        <Empty title="Nothing was asked in this time">
          What an engine asks for before it does it is kept here: who answered, from where, how
          soon.
        </Empty>
      }
    >
      {(approvals) => <ApprovalsTable approvals={approvals} />}
    </Ledger>
  );
}

function Access({ window }: { window: Window }) {
  return (
    <Ledger
      name="requests"
      query={useInfiniteQuery(accessQuery({ ...window }))}
      empty={
        <Empty title="Nobody changed anything in this time">
          Every request that changes something is kept here, with who made it and how it ended.
        </Empty>
      }
    >
      {(rows) => <AccessTable rows={rows} />}
    </Ledger>
  );
}
