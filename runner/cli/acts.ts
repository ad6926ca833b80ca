import { type Command, Option } from 'commander';
import { ACT_KINDS, type ActKind } from '../../protocol/act.ts';
import type { ActRow } from '../../protocol/http.ts';
import { joinWitnesses, sayWitnesses } from '../../protocol/witness.ts';
import { connect, type ConnectionOptions } from './connect.ts';
import { formatAgo, formatTable, oneLine } from './format.ts';
import { parseCount, withConnection } from './options.ts';
import { print } from './output.ts';
import { findSession } from './sessions/find.ts';

type ActsOptions = ConnectionOptions & { session?: string; kind?: ActKind; limit: number };

/** `pilothouse acts`: what sessions did that matters outside of their checkout. */
export function addActs(program: Command): void {
  withConnection(program.command('acts'))
    .description('show pushes, merges, deletions and their like')
    .option('--session <session>', 'of one session alone')
    .addOption(new Option('--kind <kind>', 'of one kind alone').choices(ACT_KINDS))
    .option('--limit <count>', 'how many', parseCount, 50)
    .addHelpText(
      'after',
      '\nExamples:\n  pilothouse acts --kind push\n  pilothouse acts --session ses_01k… --json',
    )
    .action(async (options: ActsOptions) => {
      const { api } = connect(options, process.env);
      const session =
        options.session === undefined ? null : await findSession(api, options.session);
      const page = await api.listActs({
        sessionId: session?.sessionId,
        kind: options.kind,
        limit: options.limit,
      });
      print(options.json, page, () => describeActs(page.items, Date.now()));
    });
}

function describeSeen({ witness, witnesses, uncertain }: ActRow): string {
  const joined = joinWitnesses(witness, witnesses);
  const doubt = uncertain ? 'not certain' : null;
  return [sayWitnesses(joined), joined.difference, doubt].filter(Boolean).join(', ');
}

function describeActs(acts: readonly ActRow[], nowMs: number): string {
  if (acts.length === 0) return 'No acts are recorded.';
  return formatTable(
    ['WHEN', 'ACT', 'TARGET', 'OUTCOME', 'SEEN', 'SESSION', 'COMMAND'],
    acts.map((act) => [
      formatAgo(act.at, nowMs),
      `${act.kind.replaceAll('_', ' ')}${act.rehearsal ? ' (rehearsal)' : ''}`,
      oneLine(act.target ?? '', 30),
      act.outcome?.replace('_', ' ') ?? (act.waiting ? 'waits for approval' : 'under way'),
      describeSeen(act),
      oneLine(act.sessionTitle, 30),
      oneLine(act.command, 60),
    ]),
  );
}
