import { sayDoer } from './actor.ts';
import { describeBreach } from './breach.ts';
import { formatDuration, formatMoney, formatSpend, plural } from './figures.ts';
import { code, fence, table, words } from './markdown.ts';
import type { AskedBy, RunAct, RunApproval, RunReport, RunTurn } from './run-report.ts';
import { spanOf } from './run-compose.ts';
import type { Standing } from './run-standing.ts';

/** How a run stands, in a few words. */
export const STANDING_WORDS: Record<Standing, string> = {
  starting: 'Starting',
  working: 'At work',
  needs_person: 'Waits for a person',
  done: 'Done',
  unproven: 'Ended; what it did is not known whole',
  failed: 'Failed',
};

const ASKED_BY: Record<AskedBy, string> = {
  person: 'a person',
  pilot: 'the Pilot',
  engine: 'the engine itself',
  terminal: 'by hand',
};

/** Most files that are listed one by one. */
const MAX_FILES = 50;

/** A report as Markdown. Times are UTC; words from outside are code and cannot be markup. */
export function writeReport(report: RunReport): string {
  const { claim, gaps, policy } = report;
  const sections = [
    `# ${words(report.title)}`,
    `**${STANDING_WORDS[report.standing]}.** ${words(report.reason)}`,
    table(['', ''], facts(report)),
    `## Objective\n\n${fence(report.objective)}`,
    claim && `## What the agent says\n\nA claim; what was seen follows.\n\n${fence(claim.text)}`,
    `## Turns\n\n${turns(report.turns)}`,
    report.breaches.length > 0 && `## Breaches\n\n${breaches(report.breaches)}`,
    `## Acts\n\n${acts(report.acts)}`,
    `## Changed files\n\n${files(report)}`,
    report.approvals.length > 0 && `## Approvals\n\n${approvals(report.approvals)}`,
    report.pilot && `## Pilot\n\n${pilot(report.pilot)}`,
    `## Policy in force\n\n${list(policy)}`,
    `## What this report cannot tell\n\n${gaps.length > 0 ? list(gaps) : 'Nothing is known to be missing.'}`,
  ];
  return `${sections.filter((part) => typeof part === 'string').join('\n\n')}\n`;
}

/**
 * What becomes of a run, short and for readers of a forge: nothing of the machine, its directories
 * or its policy is told to whoever may read the issue.
 */
export function writeComment(report: RunReport): string {
  const { claim, gaps, branch, commits, standing } = report;
  const sections = [
    `**${STANDING_WORDS[standing]}.** ${words(report.reason)}`,
    standing === 'needs_person' && 'Whoever runs the session can answer it where they run it.',
    report.breaches.length > 0 &&
      `Forbidden, and done: ${report.breaches.map((each) => words(describeBreach(each))).join('; ')}.`,
    claim && `The agent says (a claim):\n\n${fence(claim.text)}`,
    `Acts that were seen:\n\n${acts(report.acts)}`,
    `Changed files:\n\n${files(report)}`,
    branch && `On ${code(branch)}, ${plural(commits, 'new commit')}.`,
    `${plural(report.turns.length, 'turn')}, ${formatDuration(report.workedMs)} at work, ${formatSpend(report.spend)}.`,
    gaps.length > 0 && `Not known:\n\n${list(gaps)}`,
  ];
  return `${sections.filter((part) => typeof part === 'string').join('\n\n')}\n`;
}

const list = (sentences: readonly string[]): string =>
  sentences.map((sentence) => `- ${words(sentence)}`).join('\n');

/** A point in time to the minute, in UTC. */
const at = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

function facts(report: RunReport): string[][] {
  const { engine, commits, budgetMicroUsd, brainSpend } = report;
  const budget = budgetMicroUsd === null ? '' : ` of ${formatMoney(budgetMicroUsd)}`;
  const kind = engine.rehearsal ? ' (a rehearsal)' : '';
  return [
    ['Session', code(report.sessionId)],
    ['Engine', `${code([engine.engineId, engine.version, engine.model].join(' '))}${kind}`],
    ['Machine', words(report.machine)],
    ['Directory', code(report.directory ?? 'a scratch repository')],
    ['Branch', report.branch ? `${code(report.branch)}, ${plural(commits, 'new commit')}` : 'none'],
    ['Grade', report.grade ?? 'not known'],
    ['From, to', `${at(report.createdAt)} – ${at(report.updatedAt)} UTC`],
    ['At work', formatDuration(report.workedMs)],
    ['Spend', `${formatSpend(report.spend)}${budget}`],
    ...(brainSpend ? [['Of it the Pilot’s brain', formatSpend(brainSpend)]] : []),
  ];
}

function turns(all: readonly RunTurn[]): string {
  if (all.length === 0) return 'None.';
  return table(
    ['#', 'Asked by', 'Instruction', 'Outcome', 'Time', 'Spend', 'Acts'],
    all.map((turn, index) => [
      String(index + 1),
      ASKED_BY[turn.askedBy],
      code(turn.instruction ?? '', 80),
      outcomeOf(turn),
      turn.endedAt === null ? '' : formatDuration(spanOf(turn)),
      formatSpend(turn.spend),
      actsOf(turn),
    ]),
  );
}

/** How many acts are known; a number alone only where it is all of them. */
function actsOf({ acts: known, actsObserved }: RunTurn): string {
  if (actsObserved === 'recorded' || actsObserved === 'none') return String(known);
  if (actsObserved === 'unobservable') return `${known} witnessed, none told`;
  return `${known} known`;
}

function outcomeOf({ outcome, reason, startedAt }: RunTurn): string {
  const word = outcome ?? (startedAt === null ? 'not begun' : 'under way');
  return reason === null ? word : `${word}: ${words(reason)}`;
}

function acts(all: readonly RunAct[]): string {
  if (all.length === 0) return 'None seen.';
  return table(
    ['When (UTC)', 'Act', 'Target', 'Outcome', 'By', 'Seen by', 'Command'],
    all.map((act) => [
      at(act.at),
      act.kind.replaceAll('_', ' '),
      code(act.target ?? '', 60),
      endOf(act),
      act.by ? words(sayDoer(act.by, 'a person')) : '',
      seenBy(act),
      code(act.command),
    ]),
  );
}

function endOf({ outcome, decidedBy, reason }: RunAct): string {
  const word = outcome?.replace('_', ' ') ?? 'under way';
  if (reason === null) return word;
  return `${word} (${decidedBy ?? 'engine'}: ${words(reason)})`;
}

function seenBy({ seenBy: by, difference, uncertain }: RunAct): string {
  const names = by.map((each) => (each === 'git' ? 'refs' : each)).join(' and ');
  return [names, difference && `**${difference}**`, uncertain && 'not certain']
    .filter(Boolean)
    .join(', ');
}

/** What is forbidden and happened: by which call, how to take it back, and who answered for it. */
function breaches(all: RunReport['breaches']): string {
  return all
    .map((each) => {
      const { undo, override, command, rule } = each;
      const word = override
        ? `Answered for by ${code(override.actorId)} from ${words(override.channel)}: ${words(override.reason)}`
        : 'Nobody has answered for it.';
      const back = [...undo.commands.map((line) => fence(line)), words(undo.note)].filter(Boolean);
      const head = `**${words(describeBreach(each))}** at ${at(each.at)} UTC. ${words(rule)}`;
      return [head, `By: ${code(command)}`, 'To take it back:', ...back, word].join('\n\n');
    })
    .join('\n\n');
}

function files({ files: all, uncommittedFiles }: RunReport): string {
  const loose = uncommittedFiles > 0 ? `\n\n${uncommittedFiles} in no commit yet.` : '';
  if (all.length === 0) return `None by the engine’s own tools.${loose}`;
  const shown = all
    .slice(0, MAX_FILES)
    .map(
      ({ path, change, additions, deletions }) =>
        `- ${code(path, 200)} ${change}, +${additions} −${deletions}`,
    );
  const more = all.length > MAX_FILES ? `\n- and ${all.length - MAX_FILES} more` : '';
  return `${shown.join('\n')}${more}${loose}`;
}

function approvals(all: readonly RunApproval[]): string {
  return table(
    ['When (UTC)', 'What', 'Answer', 'By', 'Outcome'],
    all.map(({ at: when, summary, answer, resolution }) => [
      at(when),
      code(summary),
      answer?.decision ?? 'none',
      answer ? `${code(answer.actorId)} from ${words(answer.channel)}` : '',
      resolution ?? 'open',
    ]),
  );
}

function pilot({
  mode,
  brain,
  status,
  reason,
  turns: used,
  maxTurns,
  evidence,
}: NonNullable<RunReport['pilot']>): string {
  const head = `${mode.replace('_', '-')}, brain: ${brain}. ${status.replaceAll('_', ' ')}: ${words(reason)} ${used} of ${maxTurns} turns.`;
  if (evidence.length === 0) return head;
  const checks = evidence.map(
    ({ title, command, passed, exitCode }) =>
      `- ${passed ? 'passed' : 'failed'} (exit ${exitCode ?? 'none'}): ${words(title)}, ${code(command)}`,
  );
  return `${head}\n\nChecks that the runner ran itself:\n\n${checks.join('\n')}`;
}
