import type { Command } from 'commander';
import {
  type CommonOptions,
  describeRules,
  load,
  plain,
  print,
  recordToJson,
  withCommon,
} from './output.ts';

/** `adr list`: every record, with its status and what enforces it. */
export function addList(program: Command): void {
  withCommon(program.command('list'))
    .description('list the decision records, their status and what enforces each')
    .action((options: CommonOptions) => {
      const { records } = load(options);
      print(options.json, { records: records.map(recordToJson) }, () =>
        records
          .flatMap((record) => [
            `${record.id}  ${record.status.padEnd(10)}  ${plain(record.title)}  (${describeRules(record)})`,
            ...record.rules.map(
              (rule) => `      ${rule.level.padEnd(8)}  ${rule.id} (${rule.kind})`,
            ),
          ])
          .join('\n'),
      );
    });
}
