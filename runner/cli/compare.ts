import type { Command } from 'commander';
import { COMPARE_MAX } from '../../protocol/run-compare.ts';
import { EXIT, Failure } from '../failure.ts';
import { connect, type ConnectionOptions } from './connect.ts';
import { withConnection } from './options.ts';
import { print } from './output.ts';
import { describeComparison } from './reports/words.ts';
import { findSession } from './sessions/find.ts';

const HELP = `
A run whose cost is not known whole (unmetered, unsettled, unpriced, a rehearsal) is shown and left
out of every conclusion about cost; so is one that is not done.

Example:
  pilothouse compare ses_01k… ses_01m…`;

/** `pilothouse compare`: runs on one objective, beside each other. */
export function addCompare(program: Command): void {
  withConnection(program.command('compare'))
    .description(
      'hold runs on one objective beside each other: turns, cost by provenance, acts, time',
    )
    .argument('<sessions...>', `ids of 2 to ${COMPARE_MAX} sessions, or parts of them`)
    .addHelpText('after', HELP)
    .action(async (texts: string[], options: ConnectionOptions) => {
      const { api } = connect(options, process.env);
      const found = await Promise.all(texts.map((text) => findSession(api, text)));
      const ids = [...new Set(found.map(({ sessionId }) => sessionId))];
      if (ids.length < 2 || ids.length > COMPARE_MAX)
        throw new Failure(
          EXIT.usage,
          'usage',
          `Name 2 to ${COMPARE_MAX} different sessions. \`pilothouse sessions list\` has them.`,
        );
      const comparison = await api.compareRuns(ids);
      print(options.json, comparison, () => describeComparison(comparison));
    });
}
