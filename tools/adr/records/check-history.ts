import { posix } from 'node:path';
import { found } from '../finding.ts';
import { decisionText } from './decision-text.ts';
import { splitFrontMatter } from './front-matter.ts';
import type { History, State, Step } from './history.ts';
import { parseRecord } from './parse-record.ts';
import type { DecisionRecord } from './record.ts';
import { formatId, isReachable } from './status.ts';
import { type Problems, addProblem } from './validate.ts';

type Read = State & { status: DecisionRecord['status']; decision: string };

/**
 * Compares records with their history: a number belongs to one record for ever, a status moves
 * only forward, and a decision that was once made keeps its words. What counts is what the records
 * are now: a mistake that was put right again is none.
 */
export function checkHistory(
  records: readonly DecisionRecord[],
  history: History,
  directory: string,
): Problems {
  const problems: Problems = new Map();
  const read = reader();
  for (const number of new Set(history.steps.map((step) => step.number))) {
    const steps = history.steps.filter((step) => step.number === number);
    const states = steps.flatMap(({ after }) => (after ? [read(after)] : []));
    const record = records.find((one) => one.number === number);
    if (record) checkRecord(record, states, steps, history, read, problems);
    else checkGone(states, directory, problems);
  }
  return problems;
}

/** Reads states, each text once. */
function reader(): (state: State) => Read {
  const known = new Map<string, Pick<Read, 'status' | 'decision'>>();
  return (state) => {
    let read = known.get(state.text);
    if (!read) {
      const { status } = parseRecord(state.path, state.text);
      read = { status, decision: decisionText(splitFrontMatter(state.text)) };
      known.set(state.text, read);
    }
    return { ...state, ...read };
  };
}

const isMade = ({ status }: Read): boolean =>
  status === 'accepted' || status === 'deprecated' || status === 'superseded';

function checkRecord(
  record: DecisionRecord,
  states: readonly Read[],
  steps: readonly Step[],
  history: History,
  read: (state: State) => Read,
  problems: Problems,
): void {
  // Nothing is known of a record whose status is not, and that is told where it was read. What it
  // says now is compared as soon as it can be read again.
  if (record.status === 'unknown') return;
  const complain = (words: string) =>
    addProblem(problems, record.path, found({ path: record.path }, words));
  const past = states.find(({ status }) => !isReachable(status, record.status));
  if (past) {
    const head = history.head.find((one) => one.number === record.number);
    const since = states.findLast(({ status }) => status === record.status);
    const where =
      head && read(head).status === record.status && since ? short(since) : 'the work tree';
    complain(
      `Its status went from ${past.status} to ${record.status} (${where}). A decision that was made is not unmade: write a record that supersedes it.`,
    );
  }
  const decision = decisionText(splitFrontMatter(record.text));
  const made = firstMade(steps, history, read);
  const other = made.find((one) => one.decision !== decision);
  if (other) {
    complain(
      isSameFile(other, record, steps)
        ? `Its text is not what was accepted in ${short(other)}. The words of a decision stay as they were accepted: put them back (\`git show ${short(other)}:${other.path}\`) and write a record that supersedes it.`
        : belongs(other),
    );
    return;
  }
  const rejected = states.find((one) => one.status === 'rejected');
  if (rejected && !isSameFile(rejected, record, steps)) complain(belongs(rejected));
}

/**
 * The states in which the decision was made first: on each of several branches, but not again after
 * it was made before, so that words which were put back are compared with the first ones only.
 */
function firstMade(steps: readonly Step[], history: History, read: (state: State) => Read): Read[] {
  const made: Read[] = [];
  for (const { before, after } of steps) {
    if (!after || (before && isMade(read(before)))) continue;
    const state = read(after);
    if (!isMade(state) || made.some((one) => one.decision === state.decision)) continue;
    if (made.some((one) => history.isBefore(one.commit, state.commit))) continue;
    made.push(state);
  }
  return made;
}

/** Whether a state of the past is of the same file, by its name or by having been renamed to it. */
function isSameFile(state: State, record: DecisionRecord, steps: readonly Step[]): boolean {
  const names = new Set([posix.basename(record.path)]);
  for (const { before, after } of steps.toReversed()) {
    if (before && after && names.has(posix.basename(after.path))) {
      names.add(posix.basename(before.path));
    }
  }
  return names.has(posix.basename(state.path));
}

/** A record whose file is gone: its number stays taken, and what was decided cannot vanish. */
function checkGone(states: readonly Read[], directory: string, problems: Problems): void {
  // A proposal that nobody accepted may go; its number may then be given to another.
  const decided = states.findLast(({ status }) => status !== 'proposed' && status !== 'unknown');
  if (!decided) return;
  const words = `${decided.path} was a decision and is gone. A record is superseded, never removed: restore it (\`git log -- ${decided.path}\`).`;
  addProblem(problems, '', found({ path: directory }, words));
}

const belongs = ({ number, path }: State): string =>
  `The number ${formatId(number)} belonged to ${path}, which is gone. A number is never used again: restore that record and give this one the next free number.`;

const short = ({ commit }: State): string =>
  /^[0-9a-f]{40,}$/.test(commit) ? commit.slice(0, 9) : commit;
