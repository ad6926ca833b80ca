import { describeBreach } from '../../../protocol/breach.ts';
import { plural } from '../../../protocol/figures.ts';
import {
  nameOf,
  sayChanged,
  type RunComparison,
  type RunSide,
} from '../../../protocol/run-compare.ts';
import { STANDING_WORDS } from '../../../protocol/run-markdown.ts';
import type { RunAct, RunStatus } from '../../../protocol/run-report.ts';
import type { Standing } from '../../../protocol/run-standing.ts';
import {
  formatDuration,
  formatMoney,
  formatSpend,
  formatTable,
  oneLine,
  plainText,
} from '../format.ts';
import type { Paint, Style } from '../output.ts';
import { approvalLines } from '../transcript-lines.ts';

const STYLES: Record<Standing, Style> = {
  starting: 'cyan',
  working: 'cyan',
  needs_person: 'yellow',
  done: 'green',
  unproven: 'yellow',
  failed: 'red',
};

/** Characters of a claim that are shown: its end. */
const CLAIM_CHARS = 1_200;
const MAX_FILES = 20;

/** How a run stands, for a terminal: what is claimed, what was seen, what it cost, what waits. */
export function describeStatus(status: RunStatus, paint: Paint): string {
  const { claim, witnessed, gaps, waiting, sessionId, pilot } = status;
  const budget = status.budgetMicroUsd === null ? '' : ` of ${formatMoney(status.budgetMicroUsd)}`;
  return [
    `${paint('bold', plainText(status.title))}  ${sessionId}`,
    `${paint(STYLES[status.standing], STANDING_WORDS[status.standing])}: ${plainText(status.reason)}`,
    `Spend: ${formatSpend(status.spend)}${budget} · ${plural(status.turns, 'turn')}`,
    ...(status.brainSpend ? [`Of it the Pilot’s brain: ${formatSpend(status.brainSpend)}`] : []),
    ...(pilot ? [`Pilot: ${pilot.status.replaceAll('_', ' ')}, ${plainText(pilot.reason)}`] : []),
    ...(status.breaches.length > 0
      ? section('Forbidden, and done', status.breaches.map(describeOne(sessionId)))
      : []),
    ...section(
      'The agent says (a claim)',
      claim ? [indent(tail(plainText(claim.text)))] : ['  nothing yet'],
    ),
    ...section(
      'Acts that were seen',
      witnessed.acts.length > 0 ? witnessed.acts.map(describeAct) : ['  none'],
    ),
    ...section('Changed files', describeFiles(witnessed)),
    ...(gaps.length > 0
      ? section(
          'Not known',
          gaps.map((gap) => `  ${plainText(gap)}`),
        )
      : []),
    ...(waiting.length > 0
      ? ['', ...waiting.map((request) => approvalLines(request, sessionId, paint))]
      : []),
  ].join('\n');
}

const describeOne =
  (sessionId: string) =>
  (breach: RunStatus['breaches'][number]): string =>
    breach.override
      ? `  ${plainText(describeBreach(breach))} (answered for: ${oneLine(breach.override.reason, 80)})`
      : `  ${plainText(describeBreach(breach))}: pilothouse breaches --session ${sessionId}`;

const section = (title: string, lines: readonly string[]): string[] => ['', `${title}:`, ...lines];

const indent = (text: string): string => text.replaceAll(/^/gm, '  ');

const tail = (text: string): string =>
  text.length <= CLAIM_CHARS ? text : `…${text.slice(1 - CLAIM_CHARS)}`;

function describeAct({ kind, target, outcome, seenBy, difference, command }: RunAct): string {
  const seen = seenBy.map((each) => (each === 'git' ? 'refs' : each)).join(' and ');
  const odd = difference === null ? '' : `, ${difference}`;
  const what = [kind.replaceAll('_', ' '), oneLine(target ?? '', 60)].filter(Boolean).join(' ');
  const end = outcome?.replace('_', ' ') ?? 'under way';
  return `  ${what}: ${end} (seen by ${seen}${odd})  ${oneLine(command, 80)}`;
}

function describeFiles({
  files,
  branch,
  commits,
  uncommittedFiles,
}: RunStatus['witnessed']): string[] {
  const shown = files
    .slice(0, MAX_FILES)
    .map((file) => `  ${oneLine(file.path, 100)} +${file.additions} -${file.deletions}`);
  const more = files.length > MAX_FILES ? [`  and ${files.length - MAX_FILES} more`] : [];
  const on =
    branch === null
      ? []
      : [
          `  ${plural(commits, 'new commit')} on ${plainText(branch)}, ${plural(uncommittedFiles, 'file')} in none`,
        ];
  return files.length + on.length === 0 ? ['  none'] : [...shown, ...more, ...on];
}

/** Runs beside each other, one column each, and what may be concluded. */
export function describeComparison({ sides, objective, conclusions }: RunComparison): string {
  const row = (name: string, tell: (side: RunSide) => string) => [name, ...sides.map(tell)];
  const table = formatTable(
    ['', ...sides.map(nameOf)],
    [
      row('standing', ({ standing }) => standing.replace('_', ' ')),
      row('model', ({ engine }) => oneLine(engine.model ?? 'not known', 30)),
      row('driven by', ({ mode }) => mode.replace('_', '-')),
      row('turns', ({ turns, turnsByPilot }) =>
        turnsByPilot > 0 ? `${turns} (${turnsByPilot} by the Pilot)` : String(turns),
      ),
      row('a turn', ({ medianTurnMs }) => formatDuration(medianTurnMs)),
      row('at work', ({ workedMs }) => formatDuration(workedMs)),
      row('spend', ({ spend }) => formatSpend(spend)),
      row('acts', ({ acts }) => sayActs(acts)),
      row('changed', (side) => sayChanged(side)),
      row('approvals', ({ approvals }) => String(approvals)),
    ],
  );
  const about = objective === null ? [] : [`Objective: ${oneLine(objective, 100)}`, ''];
  return [...about, table, '', ...conclusions].join('\n');
}

/** Acts that happened, or may have, by kind: `2 commit, 1 push`. */
function sayActs(acts: RunSide['acts']): string {
  const all = Object.entries(acts).map(([kind, count]) => `${count} ${kind.replaceAll('_', ' ')}`);
  return all.length > 0 ? all.join(', ') : 'none';
}
