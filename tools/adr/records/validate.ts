import type { AdrConfig } from '../config/schema.ts';
import { type Finding, found } from '../finding.ts';
import type { DecisionRecord } from './record.ts';
import { formatId } from './status.ts';

/** Problems by the record's path; '' is the directory as a whole. */
export type Problems = Map<string, Finding[]>;

export function addProblem(problems: Problems, path: string, finding: Finding): void {
  problems.set(path, [...(problems.get(path) ?? []), finding]);
}

/** Checks what records say of each other: numbers, and who replaced whom. */
export function checkRecords(
  records: readonly DecisionRecord[],
  numbering: AdrConfig['numbering'],
): Problems {
  const problems: Problems = new Map();
  checkNumbers(records, numbering, problems);
  for (const record of records) checkRelations(record, records, problems);
  return problems;
}

function checkNumbers(
  records: readonly DecisionRecord[],
  numbering: AdrConfig['numbering'],
  problems: Problems,
): void {
  const byNumber = new Map<number, DecisionRecord>();
  for (const record of records) {
    const other = byNumber.get(record.number);
    if (other) {
      addProblem(
        problems,
        record.path,
        found(
          { path: record.path },
          `${record.path} and ${other.path} have the same number. Give the newer one the next free number.`,
        ),
      );
    }
    byNumber.set(record.number, record);
  }
  if (numbering === 'unique') return;
  const numbers = [...byNumber.keys()];
  const highest = Math.max(...numbers);
  // Some collections begin at 0; none may begin later than at 1.
  for (let number = 1; number < highest; number++) {
    if (byNumber.has(number)) continue;
    const after = records.find((record) => record.number > number);
    if (!after) continue;
    addProblem(
      problems,
      after.path,
      found(
        { path: after.path },
        `There is no record ${formatId(number)} before ${after.id}. Numbers follow each other, and a record is superseded, never removed: restore it, or take its number.`,
      ),
    );
  }
}

function checkRelations(
  record: DecisionRecord,
  records: readonly DecisionRecord[],
  problems: Problems,
): void {
  const complain = (words: string) =>
    addProblem(problems, record.path, found({ path: record.path }, words));
  const get = (id: string) => records.find((one) => one.id === id);
  // What an unreadable record says of others is not known, so it contradicts none of them.
  if (record.status === 'unknown') return;
  for (const id of record.supersedes) {
    const old = get(id);
    if (!old) complain(`It supersedes ${id}, and there is no such record. Correct the number.`);
    else if (record.status === 'accepted' || record.status === 'superseded') {
      if (old.status !== 'unknown' && !old.supersededBy.includes(record.id)) {
        complain(
          `It supersedes ${id}, which does not say so. Say \`superseded-by: ${record.id}\` there.`,
        );
      }
    }
  }
  for (const id of record.supersededBy) {
    const newer = get(id);
    if (!newer)
      complain(`It is superseded by ${id}, and there is no such record. Correct the number.`);
    else if (newer.status !== 'unknown' && !newer.supersedes.includes(record.id)) {
      complain(
        `It is superseded by ${id}, which does not say so. Say \`supersedes: ${record.id}\` there.`,
      );
    }
  }
  if (record.supersededBy.length > 0 && record.status !== 'superseded') {
    complain(
      `It is superseded by ${record.supersededBy.join(', ')} and its status is ${record.status}. Set it to superseded.`,
    );
  }
  if (record.status === 'superseded' && record.supersededBy.length === 0) {
    complain('It is superseded and does not say by which record. Say `superseded-by: NNNN`.');
  }
}
