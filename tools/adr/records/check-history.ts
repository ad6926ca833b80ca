import { found } from '../finding.ts';
import { decisionText } from './decision-text.ts';
import { splitFrontMatter } from './front-matter.ts';
import type { Lineage } from './history.ts';
import { parseRecord } from './parse-record.ts';
import type { DecisionRecord } from './record.ts';
import { decideTransition, formatId } from './status.ts';
import { type Problems, addProblem } from './validate.ts';

/**
 * Compares records with their history: a number belongs to one record for ever, a status moves
 * only forward, and a decision that was once accepted keeps its words.
 */
export function checkHistory(
  records: readonly DecisionRecord[],
  lineages: readonly Lineage[],
  directory: string,
): Problems {
  const problems: Problems = new Map();
  for (const lineage of lineages) {
    const current = records.find((one) => one.path === lineage.versions.at(-1)?.path);
    if (current && !lineage.removed) checkLineage(current, lineage, problems);
    else checkGone(lineage, records, directory, problems);
  }
  return problems;
}

const readVersion = ({ path, text }: { path: string; text: string }): DecisionRecord =>
  parseRecord(path, text);

function checkLineage(record: DecisionRecord, lineage: Lineage, problems: Problems): void {
  const complain = (words: string) =>
    addProblem(problems, record.path, found({ path: record.path }, words));
  const versions = lineage.versions.map((version) => ({
    ...version,
    record: readVersion(version),
  }));
  const all = [...versions, { commit: 'the work tree', record, text: record.text }];
  for (const [index, version] of all.entries()) {
    const before = all[index - 1];
    if (!before || decideTransition(before.record.status, version.record.status)) continue;
    complain(
      `Its status went from ${before.record.status} to ${version.record.status} (${short(version.commit)}). A decision that was made is not unmade: write a record that supersedes it.`,
    );
  }
  const accepted = versions.find((version) => version.record.status === 'accepted');
  if (!accepted) return;
  const then = decisionText(splitFrontMatter(accepted.text));
  if (then !== decisionText(splitFrontMatter(record.text))) {
    complain(
      `Its text is not what was accepted in ${short(accepted.commit)}. The words of a decision stay as they were accepted: put them back (\`git show ${short(accepted.commit)}:./${accepted.path}\`) and write a record that supersedes it.`,
    );
  }
  if (accepted.record.number !== record.number) {
    complain(
      `It was accepted as ${accepted.record.id}. A number stays with its record: take it back.`,
    );
  }
}

/** A record whose file is gone: its number stays taken, and what was decided cannot vanish. */
function checkGone(
  lineage: Lineage,
  records: readonly DecisionRecord[],
  directory: string,
  problems: Problems,
): void {
  const last = lineage.versions.at(-1);
  if (!last) return;
  // A proposal that nobody accepted may go; its number may then be given to another.
  if (lineage.versions.every((version) => readVersion(version).status === 'proposed')) return;
  const heir = records.find((one) => one.number === lineage.number);
  const words = heir
    ? `The number ${formatId(lineage.number)} belonged to ${last.path}, which is gone. A number is never used again: restore that record and give this one the next free number.`
    : `${last.path} was a decision and is gone. A record is superseded, never removed: restore it (\`git log -- ${last.path}\`).`;
  addProblem(problems, heir?.path ?? '', found({ path: heir?.path ?? directory }, words));
}

const short = (commit: string): string =>
  /^[0-9a-f]{40}$/.test(commit) ? commit.slice(0, 9) : commit;
