import type { FeedEntry, FeedEvent } from '../../protocol/engine-event.ts';
import { actId, PILOT_ACTOR } from '../../protocol/ids.ts';
import type { LaunchSpecInput } from '../../protocol/launch.ts';
import type { PilotView } from '../../protocol/pilot-view.ts';
import { RunCollector } from '../../protocol/run-collect.ts';
import { composeReport, type RunParts } from '../../protocol/run-compose.ts';
import type { RunReport } from '../../protocol/run-report.ts';
import { openView, reduceSession } from '../../protocol/session-reduce.ts';
import { wholeText } from '../../protocol/text.ts';
import {
  actSeen,
  approvalDecided,
  approvalRequested,
  approvalResolved,
  broughtBack,
  checkoutPrepared,
  turnEnded,
  usageRecorded,
  working,
  started,
} from './feed-events.ts';
import { aPilotView } from './pilot-builders.ts';
import { created, OTHER_TURN, SESSION, TURN } from './protocol-builders.ts';

/** When the records of tests begin: 2026-11-30 09:00 UTC; each entry is a second later. */
export const BEGAN = Date.UTC(2026, 10, 30, 9);
/** Long after everything: nobody waits for a comparison of refs any more. */
export const LATER = BEGAN + 3_600_000;

const numbered = (events: readonly FeedEvent[]): FeedEntry[] =>
  events.map((event, index) => ({
    position: index + 1,
    at: BEGAN + index * 1_000,
    seq: null,
    event,
  }));

/** What a report of these events is composed of; the first is the launch. */
export function partsOf(
  events: readonly FeedEvent[],
  launch: Partial<LaunchSpecInput> = {},
  over: Partial<RunParts> = {},
): RunParts {
  const first = created({ engineId: 'claude', directory: '/home/dev/site', ...launch });
  if (first.type !== 'session/created') throw new Error('a record begins with session/created');
  const entries = numbered([first, ...events]);
  const collector = new RunCollector();
  collector.add(entries);
  const view = entries.slice(1).reduce(reduceSession, openView(SESSION, BEGAN, first));
  const { collected } = collector;
  return { view, collected, pilot: null, evidence: [], machine: 'desk', nowMs: LATER, ...over };
}

export const reportOf = (...args: Parameters<typeof partsOf>): RunReport =>
  composeReport(partsOf(...args));

export const said = (text: string): FeedEvent => ({
  type: 'text/completed',
  turnId: TURN,
  blockId: `block-${text.slice(0, 8)}`,
  parentToolId: null,
  kind: 'answer',
  text: wholeText(text),
});

export const edited = (path: string): FeedEvent => ({
  type: 'tool/ended',
  toolId: `edit-${path}`,
  outcome: 'ok',
  exitCode: null,
  output: wholeText(''),
  files: [{ path, change: 'edited', patch: wholeText(''), additions: 3, deletions: 1 }],
  durationMs: 1,
});

export const witnessed = (
  turnId = TURN,
  over: { skipped?: string; others?: number } = {},
): FeedEvent => ({
  type: 'turn/witnessed',
  turnId,
  places: [
    { name: 'repository', refs: 3, skipped: null },
    ...(over.skipped === undefined ? [] : [{ name: 'origin', refs: null, skipped: over.skipped }]),
  ],
  others: [],
  more: over.others ?? 0,
  elapsedMs: 2,
});

const PUSH = actId.parse('act_push');
const GATE = actId.parse('act_gate');

/** A push that the stream claims and the gate passed on, with the answer that allowed it. */
export const pushed = (): FeedEvent[] => [
  approvalRequested({ summary: 'git push origin fix', acts: ['push'] }),
  approvalDecided(),
  approvalResolved(),
  actSeen(TURN, { actId: PUSH, command: 'git push origin fix', target: 'origin fix' }),
  actSeen(TURN, { actId: GATE, witness: 'gate', command: 'push refs/heads/fix', claimId: PUSH }),
  { type: 'act/ended', actId: PUSH, outcome: 'done' },
  { type: 'act/ended', actId: GATE, outcome: 'done' },
];

/** A whole run of two turns: one a person asked for, one the Pilot; it pushed and is done. */
export const wholeRun = (): FeedEvent[] => [
  ...working(),
  checkoutPrepared(),
  edited('/home/dev/checkout/src/tide.ts'),
  ...pushed(),
  usageRecorded(TURN),
  turnEnded(TURN, { acts: 'recorded' }),
  witnessed(),
  { type: 'turn/accepted', turnId: OTHER_TURN, text: 'Make the check pass', actorId: PILOT_ACTOR },
  started(OTHER_TURN),
  edited('/home/dev/checkout/src/tide.ts'),
  said('Done: the average is right. cc @octo/team, closes #1 | <b>bold</b>'),
  usageRecorded(OTHER_TURN),
  turnEnded(OTHER_TURN),
  witnessed(OTHER_TURN),
  broughtBack({ turnId: OTHER_TURN, uncommittedFiles: 0 }),
];

/** A Pilot that finished on a check. */
export const finishedPilot = (over: Partial<PilotView> = {}): PilotView =>
  aPilotView({ status: 'finished', reason: 'Every check passes.', turns: 2, ...over });

export const EVIDENCE = {
  title: 'Tests pass',
  command: 'npm test',
  passed: true,
  exitCode: 0,
  durationMs: 900,
  tail: 'ok',
};
