import { GitBranch, TriangleAlert } from 'lucide-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { WorkspaceDescription } from '../../protocol/command.ts';
import { tellError } from '../errors.ts';
import { plural } from '../format/count.ts';
import { cx } from '../lib/class-names.ts';
import { Words } from '../ui/words.tsx';

/** What the machine says about the chosen directory, before anything is launched there. */
export function WorkspaceFacts({ query }: { query: UseQueryResult<WorkspaceDescription> }) {
  if (query.isError) {
    return (
      <p role="alert" className="-mt-1 mb-3 text-sm text-red">
        <Words text={tellError(query.error).sentence} />
      </p>
    );
  }
  if (!query.data) return null;
  const { repository, branch, commit, uncommittedFiles, problems } = query.data;
  return (
    <div className="-mt-1 mb-3 space-y-1 text-sm">
      <p className="flex items-center gap-1.5 text-soft">
        <GitBranch />
        {repository === null ? (
          'Not in a git repository.'
        ) : (
          <span>
            {branch ?? 'no branch'}
            {commit !== null && <code className="ml-1.5 text-faint">{commit.slice(0, 8)}</code>}
            {' · '}
            {uncommittedFiles === 0
              ? 'nothing uncommitted'
              : plural(uncommittedFiles, 'uncommitted file')}
          </span>
        )}
      </p>
      {problems.map((problem) => (
        <p
          key={problem.code}
          className={cx('flex items-start gap-1.5', problem.blocks ? 'text-red' : 'text-soft')}
        >
          <TriangleAlert className="mt-px" />{' '}
          <span>
            <Words text={problem.message} />
          </span>
        </p>
      ))}
    </div>
  );
}
