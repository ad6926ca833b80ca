import { z } from 'zod';
import { type AdrRecordResult, adrStatus } from '../../protocol/adr-report.ts';
import { idWord } from '../lib/id-word.ts';
import { decisionReportId } from '../../protocol/ids.ts';
import { verdictOfRecord, verdictOfRule } from '../../protocol/decision-results.ts';

export const SHOWN = ['all', 'failing', 'unchecked', 'waived'] as const;
export type Shown = (typeof SHOWN)[number];

/** What the address of a repository's page says beside its name. */
export const decisionsSearch = z.object({
  branch: z.string().optional(),
  report: idWord(decisionReportId).optional().catch(undefined),
  show: z.enum(SHOWN).optional().catch(undefined),
  status: adrStatus.optional().catch(undefined),
  text: z.coerce.string().optional(),
});
export type DecisionsSearch = z.infer<typeof decisionsSearch>;

/** A record with its place in the report, which is its own whatever its number is. */
export type Placed = { record: AdrRecordResult; index: number };

const isShown: Record<Shown, (record: AdrRecordResult) => boolean> = {
  all: () => true,
  failing: (record) => verdictOfRecord(record) === 'violated',
  unchecked: (record) =>
    verdictOfRecord(record) === 'could_not_check' ||
    record.rules.some((rule) =>
      ['could_not_check', 'skipped', 'empty'].includes(verdictOfRule(rule)),
    ),
  waived: (record) =>
    [...record.problems, ...record.rules.flatMap(({ findings }) => findings)].some(
      ({ waiver }) => waiver !== null,
    ),
};

/** How many records each choice would show. */
export function countShown(records: readonly AdrRecordResult[]): Record<Shown, number> {
  const count = (shown: Shown) => records.filter(isShown[shown]).length;
  return {
    all: records.length,
    failing: count('failing'),
    unchecked: count('unchecked'),
    waived: count('waived'),
  };
}

/** What a person may remember of a record: its number, title, path, and its rules. */
function wordsOf({ id, title, path, rules }: AdrRecordResult): string {
  return [id, title, path, ...rules.flatMap((rule) => [rule.id, rule.kind, rule.reason])]
    .join(' ')
    .toLowerCase();
}

/** The records that a choice, a status and every typed word leave, in the report's order. */
export function filterRecords(
  records: readonly AdrRecordResult[],
  { show = 'all', status, text = '' }: DecisionsSearch,
): Placed[] {
  const typed = text.toLowerCase().split(/\s+/).filter(Boolean);
  return records
    .map((record, index) => ({ record, index }))
    .filter(({ record }) => isShown[show](record))
    .filter(({ record }) => status === undefined || record.status === status)
    .filter(({ record }) => {
      const words = wordsOf(record);
      return typed.every((word) => words.includes(word));
    });
}
