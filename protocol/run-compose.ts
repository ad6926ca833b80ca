import { doerOf } from './actor.ts';
import { PILOT_ACTOR } from './ids.ts';
import { REHEARSAL_ENGINE_ID, titleOf } from './launch.ts';
import { isPilotOver, type Evidence } from './pilot.ts';
import type { PilotView } from './pilot-view.ts';
import { describeSnapshot } from './policy-words.ts';
import type { SessionView, TurnView } from './session-view.ts';
import type { Collected } from './run-collect.ts';
import { listGaps } from './run-gaps.ts';
import {
  type AskedBy,
  type RunPilot,
  runPilot,
  type RunReport,
  type RunStatus,
  runStatus,
  type RunTurn,
  TOLD_MAX_CHARS,
} from './run-report.ts';
import { standingOf } from './run-standing.ts';

/** Everything that a report is composed of. */
export type RunParts = {
  view: SessionView;
  collected: Collected;
  /** Null for a session that a person drives. */
  pilot: PilotView | null;
  /** What stands behind the Pilot's last decision. */
  evidence: readonly Evidence[];
  /** The name of the machine. */
  machine: string;
  nowMs: number;
};

/** The report of a run as it stands. Pure: the same parts are the same report. */
export function composeReport(parts: RunParts): RunReport {
  const { view, collected, pilot, machine, nowMs } = parts;
  const { launch, engine, checkout } = view;
  const stand = standingOf(view, pilot, nowMs);
  const turns = view.turns.map(toRunTurn);
  return {
    format: 1,
    madeAt: nowMs,
    sessionId: view.sessionId,
    title: titleOf(launch.objective),
    objective: launch.objective,
    ...stand,
    state: view.state,
    engine: {
      engineId: launch.engineId,
      version: engine?.version ?? null,
      model: engine?.model ?? launch.model,
      credential: engine?.credential ?? null,
      rehearsal: launch.engineId === REHEARSAL_ENGINE_ID,
    },
    machine,
    directory: launch.directory ?? checkout?.directory ?? null,
    branch: checkout?.branch ?? null,
    commit: checkout?.commit ?? null,
    commits: checkout?.commits ?? 0,
    uncommittedFiles: checkout?.uncommittedFiles ?? 0,
    grade: checkout?.grade?.grade ?? null,
    createdAt: view.createdAt,
    updatedAt: view.updatedAt,
    workedMs: turns.reduce((sum, turn) => sum + spanOf(turn), 0),
    ...collected,
    acts: collected.acts.map((act) => ({ ...act, by: doerOf(view, act.turnId) })),
    files: collected.files.map((file) => ({ ...file, path: within(checkout, file.path) })),
    turns,
    breaches: view.breaches,
    spend: view.spend,
    brainSpend: view.brainSpend ?? null,
    budgetMicroUsd: launch.budgetMicroUsd,
    pilot: pilot && toRunPilot(pilot, parts.evidence),
    policy: describeSnapshot(launch.policy),
    gaps: listGaps(view, collected.acts),
  };
}

/** The short answer to "how does it stand?". It never leaves out what was witnessed. */
export function statusOf(
  report: RunReport,
  view: Pick<SessionView, 'pendingApprovals'>,
): RunStatus {
  const turns = report.turns.length;
  return runStatus.parse({ ...report, turns, witnessed: report, waiting: view.pendingApprovals });
}

/** How long a turn was under way, in ms; 0 while it is, or where it never began. */
export const spanOf = ({ startedAt, endedAt }: Pick<RunTurn, 'startedAt' | 'endedAt'>): number =>
  startedAt === null || endedAt === null ? 0 : Math.max(0, endedAt - startedAt);

function toRunTurn(turn: TurnView): RunTurn {
  const { turnId, outcome, startedAt, endedAt, spend, acts, usage, actsObserved } = turn;
  const instruction = turn.text === null ? null : headOf(turn.text);
  const reason = turn.error?.message ?? turn.deliveryReason;
  const times = { startedAt, endedAt };
  const records = { spend, acts, usageObserved: usage, actsObserved };
  return { turnId, askedBy: askedBy(turn), instruction, outcome, reason, ...times, ...records };
}

function askedBy({ origin, actorId }: TurnView): AskedBy {
  if (origin === 'engine' || origin === 'terminal') return origin;
  return actorId === PILOT_ACTOR ? 'pilot' : 'person';
}

function toRunPilot(pilot: PilotView, evidence: readonly Evidence[]): RunPilot {
  const { maxTurns } = pilot.bounds;
  // What an earlier decision rested on says nothing of a run that goes on.
  return runPilot.parse({
    ...pilot,
    maxTurns,
    evidence: isPilotOver(pilot.status) ? evidence : [],
  });
}

/** A path as it is in the repository; one outside of the checkout stays as it is. */
function within(checkout: SessionView['checkout'], path: string): string {
  const root = checkout ? `${checkout.directory}/` : null;
  return root !== null && path.startsWith(root) ? path.slice(root.length) : path;
}

const headOf = (text: string): string =>
  text.length <= TOLD_MAX_CHARS ? text : `${text.slice(0, TOLD_MAX_CHARS - 1)}…`;
