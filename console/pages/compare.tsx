import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useId } from 'react';
import { COMPARE_MAX } from '../../protocol/run-compare.ts';
import { comparisonQuery } from '../api/comparisons.ts';
import { recentSessionsQuery } from '../api/queries.ts';
import { chosenOf, listOffers } from '../compare/chosen.ts';
import { SidesTable } from '../compare/sides-table.tsx';
import { cliTwin } from '../format/cli.ts';
import { Command } from '../ui/copy.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Empty, ErrorPanel, Skeleton } from '../ui/states.tsx';

const route = getRouteApi('/house/compare');

/** Runs on one objective beside each other, and what may be concluded from them. */
export function ComparePage() {
  const chosen = chosenOf(route.useSearch().sessions);
  const navigate = useNavigate();
  const query = useQuery(comparisonQuery(chosen));
  const choose = (next: readonly string[]) =>
    void navigate({ to: '/compare', search: next.length > 0 ? { sessions: next.join(',') } : {} });
  const told = chosen.length >= 2 ? query.data : undefined;
  return (
    <Page title="Compare runs" aside={<Add chosen={chosen} choose={choose} />}>
      {chosen.length < 2 && (
        <Empty title={chosen.length === 0 ? 'Nothing to compare yet' : 'One more run'}>
          Add runs on one objective: which engine did it in how many turns, for how much, and with
          which acts. What cannot be known of a run stays out of every conclusion.
        </Empty>
      )}
      {chosen.length >= 2 && query.isPending && <Skeleton label="Reading the runs" rows={10} />}
      {query.isError && !told && (
        <ErrorPanel error={query.error} retry={() => void query.refetch()} />
      )}
      {told && (
        <>
          {told.objective !== null && (
            <p className="mb-3 line-clamp-3 max-w-prose text-soft">{told.objective}</p>
          )}
          <Section title="Side by side">
            <SidesTable
              sides={told.sides}
              remove={(sessionId) => choose(chosen.filter((each) => each !== sessionId))}
            />
          </Section>
          <Section title="What may be concluded">
            <ul className="list-disc pl-5">
              {told.conclusions.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </Section>
          <Command text={cliTwin.compare(chosen)} />
        </>
      )}
    </Page>
  );
}

type AddProps = { chosen: readonly string[]; choose: (sessions: readonly string[]) => void };

function Add({ chosen, choose }: AddProps) {
  const id = useId();
  const { data = [] } = useQuery(recentSessionsQuery);
  const full = chosen.length >= COMPARE_MAX;
  return (
    <span className="flex items-center gap-2">
      <label htmlFor={id} className="text-sm text-soft">
        Add a run
      </label>
      <select
        id={id}
        value=""
        disabled={full}
        title={full ? `At most ${COMPARE_MAX} runs are compared at once.` : undefined}
        onChange={(event) => choose([...chosen, event.target.value])}
        className="h-8 max-w-72 rounded-md border border-line-strong bg-raised px-2"
      >
        <option value="" disabled>
          Choose…
        </option>
        {listOffers(data, chosen).map(({ sessionId, title, engineId }) => (
          <option key={sessionId} value={sessionId}>
            {engineId} · {title} · …{sessionId.slice(-6)}
          </option>
        ))}
      </select>
    </span>
  );
}
