import type { Command } from 'commander';
import { waiverText } from '../formats/told.ts';
import { findRecord } from '../records/read-records.ts';
import type { DecisionRecord } from '../records/record.ts';
import { splitFrontMatter } from '../records/front-matter.ts';
import { type CommonOptions, load, plain, print, recordToJson, withCommon } from './output.ts';

/** `adr show 2`: one record, with its rules and its text. */
export function addShow(program: Command): void {
  withCommon(program.command('show'))
    .argument('<record>', 'its number: 2, 0002 or ADR-0002')
    .description('show one decision record, its rules and waivers')
    .action((given: string, options: CommonOptions) => {
      const record = findRecord(load(options).records, given);
      const body = splitFrontMatter(record.text).body.trim();
      print(options.json, { ...recordToJson(record), body }, () => textOf(record, body));
    });
}

function textOf(record: DecisionRecord, body: string): string {
  const links = [
    ...record.supersedes.map((id) => `supersedes ${id}`),
    ...record.supersededBy.map((id) => `superseded by ${id}`),
  ];
  return [
    `${record.path}: ${[record.status, record.date ?? 'no date', ...links].join(', ')}`,
    ...record.rules.map(
      (rule) => `  ${rule.level}  ${rule.id} (${rule.kind}): ${plain(rule.reason)}`,
    ),
    ...record.waivers.map(
      (waiver) => `  waiver    ${waiver.rule} for ${waiver.path}. ${plain(waiverText(waiver))}`,
    ),
    ...record.problems.map((problem) => `  problem   ${problem.message}`),
    '',
    ...body.split('\n').map(plain),
  ].join('\n');
}
