import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  PAGE_MAX,
  usageGrouping,
  type RepairedSums,
  type UsageGrouping,
  type UsageSummary,
} from '../../protocol/http.ts';
import { describeSelfReported, describeUnmetered } from '../../protocol/unmetered-words.ts';
import { connect, type ConnectionOptions } from './connect.ts';
import { formatSpend, formatTable, oneLine } from './format.ts';
import { parseCount, parseTime, withConnection } from './options.ts';
import { exportLedger, type ExportOptions } from './ledgers/export.ts';
import { print } from './output.ts';
import { findSession } from './sessions/find.ts';

type UsageOptions = ConnectionOptions & {
  by: UsageGrouping;
  from?: number;
  to?: number;
  limit: number;
};

const EXAMPLES = `
Examples:
  pilothouse usage --by session
  pilothouse usage --by day --from 7d
  pilothouse usage --by model --from 2026-11-01 --to 2026-12-01 --json

Figures of different provenance are never added up: reported by the engine, estimated from a
price table, notional (a subscription pays), unmetered, unsettled, rehearsal.`;

/** `pilothouse usage`: what was spent, by provenance. */
export function addUsage(program: Command): void {
  const time = (text: string) => parseTime(text, Date.now());
  const usage = withConnection(program.command('usage'))
    .description('show what sessions used and cost')
    .addOption(
      new Option('--by <grouping>', 'one line for each')
        .choices(usageGrouping.options)
        .default('day'),
    )
    .option('--from <time>', 'from this date on, or for the last 24h, 7d', time)
    .option('--to <time>', 'up to this date, not including it', time)
    .option('--limit <count>', 'how many sessions, the newest first', parseLimit, 50)
    .addHelpText('after', EXAMPLES)
    .action(async (options: UsageOptions) => {
      const { api } = connect(options, process.env);
      const { by, from, to, limit } = options;
      const summary = await api.summarizeUsage(by, { from, to, limit });
      print(options.json, summary, () => describeUsage(summary));
    });
  addUsageExport(usage);
  addRepair(usage);
}

/** `pilothouse usage export`: the ledger's own lines, for a spreadsheet or a program. */
function addUsageExport(usage: Command): void {
  const time = (text: string) => parseTime(text, Date.now());
  withConnection(usage.command('export'))
    .description('write the usage ledger as CSV, or with --json as JSON, entry by entry')
    .option('--session <session>', 'of one session alone')
    .option('--from <time>', 'from this date on, or for the last 24h, 7d', time)
    .option('--to <time>', 'up to this date, not including it', time)
    .option('-o, --output <file>', 'file to write; without it, it is printed')
    .option('--force', 'write over a file that is there')
    .addHelpText(
      'after',
      '\nExamples:\n  pilothouse usage export --from 30d -o november.csv\n  pilothouse usage export --session ses_01k… --json\n\nMoney is in millionths of a US dollar; an empty amount is not known, which is not zero.',
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<
        ConnectionOptions & ExportOptions & { session?: string; from?: number; to?: number }
      >();
      const connection = connect(options, process.env);
      const { from, to, session } = options;
      const found = session === undefined ? null : await findSession(connection.api, session);
      const query = { from, to, sessionId: found?.sessionId };
      await exportLedger(connection, '/v1/usage/export', query, options);
    });
}

/** `pilothouse usage repair`: the sums, made anew from the entries where they differ. */
function addRepair(usage: Command): void {
  withConnection(usage.command('repair'))
    .description('compare the sums with the ledger, and make them anew where they differ')
    .addHelpText(
      'after',
      '\nThe ledger itself is never changed. Needed at most after a database was put together by hand.',
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<ConnectionOptions>();
      const { api } = connect(options, process.env);
      const repaired = await api.repairSums();
      print(options.json, repaired, () => describeRepair(repaired));
    });
}

function describeRepair({ entries, wrong }: RepairedSums): string {
  const compared = `Compared with ${entries.toLocaleString('en-US')} entries:`;
  if (wrong === 0) return `${compared} every sum is right.`;
  return `${compared} ${wrong.toLocaleString('en-US')} sums were wrong and are right now.`;
}

/** A page of the API at most. */
function parseLimit(text: string): number {
  const count = parseCount(text);
  if (count <= PAGE_MAX) return count;
  throw new InvalidArgumentError(`At most ${PAGE_MAX}; narrow it with --from and --to.`);
}

function describeUsage(summary: UsageSummary): string {
  return [describeSpend(summary), ...describeDrives(summary)].join('\n\n');
}

/** What operators wrote to terminals, where they did. */
function describeDrives({ unmetered, selfReported }: UsageSummary): string[] {
  return [
    ...(selfReported ? [`self-reported: ${describeSelfReported(selfReported)}`] : []),
    ...(unmetered?.drives ? [`unmetered: ${describeUnmetered(unmetered)}`] : []),
  ];
}

function describeSpend(summary: UsageSummary): string {
  if (summary.groups.length === 0) return 'No usage is recorded in this time.';
  const rows = summary.groups.map((group) => [oneLine(group.label, 50), formatSpend(group.totals)]);
  const more = summary.nextCursor === null ? [] : [['… older sessions: more with --limit', '']];
  return formatTable(
    [summary.by.toUpperCase(), 'SPEND'],
    [...rows, ...more, ['all', formatSpend(summary.totals)]],
  );
}
