import { Link } from '@tanstack/react-router';
import type { RepositoryResult } from '../../protocol/decisions.ts';
import { plural } from '../format/count.ts';
import { Ago } from '../ui/time.tsx';
import { VerdictMark } from './verdict-mark.tsx';
import { shortCommit } from './visible.ts';
import { RESULTS } from './words.ts';

/** Repositories one below the other, each with the last result of its main branch. */
export function RepositoryList({ repositories }: { repositories: readonly RepositoryResult[] }) {
  return (
    <ul aria-label="Repositories" className="divide-y overflow-hidden rounded-md border bg-raised">
      {repositories.map((repository) => (
        <RepositoryRow key={repository.repository} repository={repository} />
      ))}
    </ul>
  );
}

function RepositoryRow({ repository: { repository, branches } }: { repository: RepositoryResult }) {
  const latest = branches[0]?.latest;
  const failing = branches.slice(1).filter((one) => one.latest.exitCode !== 0).length;
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-3 py-2 hover:bg-sunken md:min-h-9 md:grid-cols-[minmax(0,1fr)_150px_minmax(0,220px)_200px] md:py-1">
      <Link
        to="/decisions/of/$"
        params={{ _splat: repository }}
        className="min-w-0 truncate font-medium after:absolute after:inset-0"
      >
        {repository}
      </Link>
      {latest ? (
        <>
          <VerdictMark look={RESULTS[latest.exitCode]} />
          <span className="min-w-0 truncate text-sm text-soft">
            {plural(latest.counts.records, 'record')}
            {latest.counts.findings > 0 && `, ${plural(latest.counts.findings, 'finding')}`}
            {failing > 0 && ` · ${plural(failing, 'other branch', 'other branches')} not clean`}
          </span>
          <span className="text-right text-sm text-faint">
            {latest.branch}
            {latest.commit !== null && ` ${shortCommit(latest.commit)}`},{' '}
            <Ago at={latest.startedAt} />
          </span>
        </>
      ) : (
        <span className="text-sm text-soft md:col-span-3">no report yet</span>
      )}
    </li>
  );
}
