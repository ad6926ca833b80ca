import { type Command, InvalidArgumentError, Option } from 'commander';
import { ACT_KINDS, type ActKind, type Witness, witness } from '../../protocol/act.ts';
import { sayDoer } from '../../protocol/actor.ts';
import { ACT_ENDS, type ActRow } from '../../protocol/http.ts';
import { actorId, GITHUB_ACTOR, LOCAL_ACTOR, PILOT_ACTOR } from '../../protocol/ids.ts';
import { joinWitnesses, sayWitnesses } from '../../protocol/witness.ts';
import type { Api } from './api.ts';
import { connect, type ConnectionOptions } from './connect.ts';
import { formatAgo, formatTable, oneLine } from './format.ts';
import { parseCount, parseTime, withConnection } from './options.ts';
import { exportLedger, type ExportOptions } from './ledgers/export.ts';
import { print } from './output.ts';
import { findInstance } from './operators/find.ts';
import { findSession } from './sessions/find.ts';

type ActsOptions = ConnectionOptions & {
  session?: string;
  instance?: string;
  machine?: string;
  by?: string;
  kind?: ActKind;
  outcome?: (typeof ACT_ENDS)[number];
  witness?: Witness;
  breach?: 'true' | 'false';
  from?: number;
  to?: number;
  limit: number;
};

const EXAMPLES = `
Examples:
  pilothouse acts --kind push --from 7d
  pilothouse acts --breach true
  pilothouse acts --session ses_01k… --json`;

/** `pilothouse acts`: what sessions and operators did that matters outside of a checkout. */
export function addActs(program: Command): void {
  const acts = withFilter(withConnection(program.command('acts')))
    .description('show pushes, merges, deletions and their like')
    .option('--limit <count>', 'how many', parseCount, 50)
    .addHelpText('after', EXAMPLES)
    .action(async (options: ActsOptions) => {
      const { api } = connect(options, process.env);
      const page = await api.listActs({ ...(await filterOf(api, options)), limit: options.limit });
      print(options.json, page, () => describeActs(page.items, Date.now()));
    });
  withFilter(withConnection(acts.command('export')))
    .description('write the ledger of acts as CSV, or with --json as JSON')
    .option('-o, --output <file>', 'file to write; without it, it is printed')
    .option('--force', 'write over a file that is there')
    .addHelpText('after', '\nExample:\n  pilothouse acts export --from 30d -o acts.csv')
    .action(async (_: unknown, command: Command) => {
      // The list above has the same options, and takes what is given anywhere.
      const options = command.optsWithGlobals<ActsOptions & ExportOptions>();
      const connection = connect(options, process.env);
      const query = await filterOf(connection.api, options);
      await exportLedger(connection, '/v1/acts/export', query, options);
    });
}

/** The options that say which acts are meant. */
function withFilter(command: Command): Command {
  const time = (text: string) => parseTime(text, Date.now());
  const one = (flag: string, words: string, choices: readonly string[]) =>
    new Option(flag, words).choices(choices);
  return command
    .addOption(new Option('--session <session>', 'of one session alone').conflicts('instance'))
    .option('--instance <instance>', 'of one instance of an operator alone, by its id or name')
    .option('--machine <runner>', 'of one machine alone, by its id')
    .option('--by <who>', 'under whose instruction: you, pilot, github, or an id', parseActor)
    .addOption(one('--kind <kind>', 'of one kind alone', ACT_KINDS))
    .addOption(one('--outcome <outcome>', 'that became this alone', ACT_ENDS))
    .addOption(one('--witness <witness>', 'that this witness saw, first or later', witness.options))
    .addOption(one('--breach <yes>', 'that the policy forbids, or does not', ['true', 'false']))
    .option('--from <time>', 'from this date on, or for the last 24h, 7d', time)
    .option('--to <time>', 'up to this date, not including it', time);
}

async function filterOf(api: Api, options: ActsOptions) {
  const { session, machine, by: who, kind, outcome, witness: by, breach, from, to } = options;
  const sessionId =
    options.instance === undefined
      ? session && (await findSession(api, session)).sessionId
      : (await findInstance(api, options.instance)).instance.id;
  return {
    sessionId,
    runnerId: machine,
    actorId: who,
    kind,
    outcome,
    witness: by,
    breach,
    from,
    to,
  };
}

const ACTORS: Record<string, string> = {
  you: LOCAL_ACTOR,
  pilot: PILOT_ACTOR,
  github: GITHUB_ACTOR,
};

/** A word for an actor, or their id. */
function parseActor(text: string): string {
  const parsed = actorId.safeParse(ACTORS[text] ?? text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError(`give one of ${Object.keys(ACTORS).join(', ')}, or an id.`);
}

function describeSeen({ witness: first, witnesses, uncertain }: ActRow): string {
  const joined = joinWitnesses(first, witnesses);
  const doubt = uncertain ? 'not certain' : null;
  return [sayWitnesses(joined), joined.difference, doubt].filter(Boolean).join(', ');
}

function describeActs(acts: readonly ActRow[], nowMs: number): string {
  if (acts.length === 0) return 'No acts are recorded.';
  return formatTable(
    ['WHEN', 'ACT', 'TARGET', 'OUTCOME', 'SEEN', 'SESSION', 'MACHINE', 'BY', 'COMMAND'],
    acts.map((act) => [
      formatAgo(act.at, nowMs),
      `${act.kind.replaceAll('_', ' ')}${act.breach ? ' (forbidden)' : ''}${act.rehearsal ? ' (rehearsal)' : ''}`,
      oneLine(act.target ?? '', 30),
      act.outcome?.replace('_', ' ') ?? (act.waiting ? 'waits for approval' : 'under way'),
      describeSeen(act),
      oneLine(act.sessionTitle, 30),
      oneLine(act.machine?.name ?? '', 20),
      sayDoer(act),
      oneLine(act.command, 60),
    ]),
  );
}
