import type { Command } from 'commander';
import type { RepositoryResult } from '../../../protocol/decisions.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { formatTable } from '../format.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { describeRun, RESULT_WORDS } from './words.ts';

/** `pilothouse decisions list`: the last result of each repository's branches. */
export function addList(decisions: Command): void {
  withConnection(decisions.command('list'))
    .description('list repositories with the last result of their main branch')
    .addHelpText(
      'after',
      '\nExample:\n  pilothouse decisions list --json | jq ".items[].repository"',
    )
    .action(async (options: ConnectionOptions) => {
      const { api } = connect(options, process.env);
      const page = await api.listRepositories({ limit: 500 });
      print(options.json, page, () => describeRepositories(page.items, Date.now()));
    });
}

function describeRepositories(repositories: readonly RepositoryResult[], nowMs: number): string {
  if (repositories.length === 0)
    return 'No repository posts its decisions. `pilothouse decisions keys make --repository OWNER/NAME` begins.';
  return formatTable(
    ['REPOSITORY', 'BRANCH', 'RESULT', 'RECORDS', 'FINDINGS', 'CHECKED', 'OTHER BRANCHES'],
    repositories.map(({ repository, branches, moreBranches }) => {
      const [main, ...others] = branches;
      if (!main) return [repository, '', 'no report yet', '', '', '', ''];
      const { latest } = main;
      return [
        repository,
        main.branch,
        RESULT_WORDS[latest.exitCode],
        String(latest.counts.records),
        String(latest.counts.findings),
        describeRun(latest, nowMs),
        String(others.length + moreBranches),
      ];
    }),
  );
}
