import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { BranchResult } from '../../protocol/decisions.ts';
import { runsQuery } from '../api/decisions.ts';
import { formatAgo } from '../format/time.ts';
import { useNow } from '../lib/use-now.ts';
import type { DecisionsSearch } from './filter.ts';
import { shortCommit } from './visible.ts';
import { RESULTS } from './words.ts';

type BranchChoiceProps = {
  repository: string;
  branches: readonly BranchResult[];
  /** How many branches have kept reports and are not in the list. */
  more: number;
  chosen: BranchResult;
  reportId: string;
  choose: (change: DecisionsSearch) => void;
};

const SELECT = 'h-8 max-w-full min-w-0 rounded-md border border-line-strong bg-raised px-2';

/** Of which branch, and which of its kept checks. */
export function BranchChoice(props: BranchChoiceProps) {
  const { repository, branches, more, chosen, reportId, choose } = props;
  const id = useId();
  const now = useNow('minute');
  const { data: runs = [chosen.latest] } = useQuery(runsQuery(repository, chosen.branch));
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      <span className="flex min-w-0 items-center gap-2">
        <label htmlFor={`${id}-branch`} className="text-sm text-soft">
          Branch
        </label>
        <select
          id={`${id}-branch`}
          value={chosen.branch}
          onChange={(event) => choose({ branch: event.target.value, report: undefined })}
          className={SELECT}
        >
          {branches.map(({ branch, latest }) => (
            <option key={branch} value={branch}>
              {branch}
              {latest.exitCode === 0 ? '' : ` — ${RESULTS[latest.exitCode].word}`}
            </option>
          ))}
        </select>
      </span>
      <span className="flex min-w-0 items-center gap-2">
        <label htmlFor={`${id}-run`} className="text-sm text-soft">
          Check
        </label>
        <select
          id={`${id}-run`}
          value={reportId}
          onChange={({ target }) =>
            choose({
              report: target.value === chosen.latest.reportId ? undefined : target.value,
            })
          }
          className={SELECT}
        >
          {runs.map((run, index) => (
            <option key={run.reportId} value={run.reportId}>
              {index === 0 ? 'latest, ' : ''}
              {formatAgo(run.startedAt, now)}
              {run.commit === null ? '' : ` at ${shortCommit(run.commit)}`} —{' '}
              {RESULTS[run.exitCode].word}
            </option>
          ))}
        </select>
      </span>
      {more > 0 && (
        <span className="text-sm text-faint">
          {more === 1 ? '1 branch that was' : `${more} branches that were`} checked longer ago{' '}
          {more === 1 ? 'is' : 'are'} not listed
        </span>
      )}
    </div>
  );
}
