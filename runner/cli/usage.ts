import { type Command, Option } from 'commander';
import { usageGrouping, type UsageGrouping, type UsageSummary } from '../../protocol/http.ts';
import { connect, type ConnectionOptions } from './connect.ts';
import { formatSpend, formatTable, oneLine } from './format.ts';
import { parseTime, withConnection } from './options.ts';
import { print } from './output.ts';

type UsageOptions = ConnectionOptions & { by: UsageGrouping; from?: number; to?: number };

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
  withConnection(program.command('usage'))
    .description('show what sessions used and cost')
    .addOption(
      new Option('--by <grouping>', 'one line for each')
        .choices(usageGrouping.options)
        .default('day'),
    )
    .option('--from <time>', 'from this date on, or for the last 24h, 7d', time)
    .option('--to <time>', 'up to this date, not including it', time)
    .addHelpText('after', EXAMPLES)
    .action(async (options: UsageOptions) => {
      const { api } = connect(options, process.env);
      const summary = await api.summarizeUsage(options.by, { from: options.from, to: options.to });
      print(options.json, summary, () => describeUsage(summary));
    });
}

function describeUsage(summary: UsageSummary): string {
  if (summary.groups.length === 0) return 'No usage is recorded in this time.';
  const rows = summary.groups.map((group) => [oneLine(group.label, 50), formatSpend(group.totals)]);
  return formatTable(
    [summary.by.toUpperCase(), 'SPEND'],
    [...rows, ['all', formatSpend(summary.totals)]],
  );
}
