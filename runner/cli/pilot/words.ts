import { isPilotOver } from '../../../protocol/pilot.ts';
import type { PilotDecisionRow, PilotView } from '../../../protocol/pilot-view.ts';
import { addUsage, type UsageEntry } from '../../../protocol/usage.ts';
import { formatSpend, formatTokens, oneLine } from '../format.ts';
import type { Paint } from '../output.ts';

const STATUS: Record<PilotView['status'], string> = {
  deciding: 'Deciding what is next',
  instructing: 'Handing an instruction over',
  waiting_turn: 'The engine works',
  judging: 'Reading what the turn did',
  waiting_person: 'Waiting for you',
  waiting_until: 'Waiting for a time',
  paused: 'Paused',
  finished: 'Finished',
  stopped: 'Stopped',
  failed: 'Failed',
};

/** What a person types next, as far as the Pilot waits for them. */
function nextCommand({ sessionId, status, hold, proposesAnew }: PilotView): string | null {
  if (status === 'paused') return `pilothouse pilot resume ${sessionId}`;
  if (status !== 'waiting_person') return null;
  switch (hold) {
    case 'proposal':
      return `pilothouse pilot confirm ${sessionId} [--instruction "…"]${proposesAnew === null ? '' : ' [--keep]'}`;
    case 'question':
      return `pilothouse pilot resume ${sessionId}, or confirm it with --instruction "…"`;
    case 'takeover':
      return `pilothouse takeover ${sessionId} --release`;
    case 'gone':
      return `pilothouse sessions retry ${sessionId}`;
    case 'halted':
      return `pilothouse sessions show ${sessionId}`;
    case null:
      return null;
    default:
      return hold satisfies never;
  }
}

const nameBrain = ({ brain, brainModel }: PilotView): string =>
  brainModel === null ? brain : `${brain}, ${oneLine(brainModel, 60)}`;

/** Where a Pilot stands, its proposal, and its last decisions with their evidence. */
export function describePilot(
  pilot: PilotView,
  decisions: readonly PilotDecisionRow[],
  paint: Paint,
): string {
  const next = nextCommand(pilot);
  const until = pilot.until === null ? '' : ` until ${new Date(pilot.until).toISOString()}`;
  return [
    `${paint('bold', STATUS[pilot.status])}${until}: ${pilot.reason}`,
    `${pilot.turns} of ${pilot.bounds.maxTurns} turns, brain: ${nameBrain(pilot)}, mode: ${pilot.mode.replace('_', '-')}${pilot.beginsAnew ? ', a long conversation is begun anew' : ''}${pilot.pausing ? ', pausing' : ''}`,
    ...(pilot.proposal === null ? [] : ['', 'It proposes:', indent(pilot.proposal)]),
    ...(pilot.proposesAnew === null ? [] : ['In a conversation that is begun anew.']),
    ...(next === null ? [] : ['', `Next: ${next}`]),
    ...(decisions.length === 0 ? [] : ['', 'Decisions, newest first:']),
    ...decisions.flatMap((each) => describeDecision(each, paint)),
    ...(isPilotOver(pilot.status) || decisions.length > 0 ? [] : ['', 'Nothing was decided yet.']),
  ].join('\n');
}

function describeDecision(decision: PilotDecisionRow, paint: Paint): string[] {
  const { step, next, reason, outcome, evidence, usage } = decision;
  const led = outcome === reason ? '' : ` → ${outcome}`;
  return [
    `  ${step}. ${next?.replace('_', ' ') ?? 'nothing usable'}: ${oneLine(`${reason}${led}`, 400)}`,
    ...evidence.map(({ passed, title, command }) => {
      const mark = passed ? paint('green', 'pass') : paint('red', 'fail');
      return `     ${mark} ${title} (${oneLine(command, 60)})`;
    }),
    ...usage.map((each) => `     ${describeUsage(each)}`),
  ];
}

/** What asking the model took. */
function describeUsage(usage: UsageEntry): string {
  if (usage.provenance === 'unsettled') return 'the model was asked; what it took never came';
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const read = formatTokens(inputTokens + cacheReadTokens + cacheWriteTokens);
  return `read ${read}, wrote ${formatTokens(outputTokens)} tokens: ${formatSpend(addUsage({}, usage))}`;
}

const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
