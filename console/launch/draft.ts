import { z } from 'zod';
import type { WorkspaceDescription } from '../../protocol/command.ts';
import { type ErrorCode, PilothouseError } from '../../protocol/errors.ts';
import { groupingProblem, readEitherMark } from '../../protocol/amounts.ts';
import type { ForkRequest } from '../../protocol/fork.ts';
import { grade, type GradeWish } from '../../protocol/grade.ts';
import { network } from '../../protocol/network.ts';
import { launchRequest, type LaunchRequest, type RunnerSummary } from '../../protocol/http.ts';
import { instructionText } from '../../protocol/instruction.ts';
import {
  ANSWER_MAX_MS,
  ANSWER_MIN_MS,
  type ApprovalsMode,
  approvalsMode,
  NO_OUTPUT_MAX_MS,
  NO_OUTPUT_MIN_MS,
  REHEARSAL_ENGINE_ID,
} from '../../protocol/launch.ts';
import {
  budgetObstacle,
  canDecide,
  modeObstacle,
  defaultAnswerMs,
  defaultSilenceMs,
  type EngineReadiness,
  type MachineFacts,
} from '../../protocol/machine.ts';
import { decimalMark } from '../format/locale.ts';
import { parseMoney } from '../format/money.ts';
import { readWorkLimits } from './work-limits.ts';
import { decidePilot, EMPTY_PILOT, firstProblem, pilotDraft } from './pilot-draft.ts';
import { forecastGrade, forecastNetwork } from '../../protocol/grade-forecast.ts';

/** What the form holds: as typed, so that a half-typed answer is not lost. */
export const launchDraft = z.object({
  runnerId: z.string(),
  directory: z.string(),
  engineId: z.string(),
  objective: z.string(),
  approvals: approvalsMode,
  checkout: z.enum(['own', 'inPlace']),
  fromUncommitted: z.boolean(),
  baseRef: z.string(),
  budget: z.string(),
  tokens: z.string().default(''),
  turns: z.string().default(''),
  minutes: z.string().default(''),
  model: z.string(),
  silence: z.string().default(''),
  answerHours: z.string().default(''),
  conversation: z.string().default(''),
  grade: grade.nullable().default(null),
  network: network.nullable().default(null),
  pilot: pilotDraft.default(EMPTY_PILOT),
});
export type LaunchDraft = z.infer<typeof launchDraft>;

/** A form that nobody has touched: it asks before everything and works beside the person’s files. */
export const EMPTY_DRAFT: LaunchDraft = {
  runnerId: '',
  directory: '',
  engineId: '',
  objective: '',
  approvals: 'ask',
  checkout: 'own',
  fromUncommitted: false,
  baseRef: '',
  budget: '',
  tokens: '',
  turns: '',
  minutes: '',
  model: '',
  silence: '',
  answerHours: '',
  conversation: '',
  grade: null,
  network: null,
  pilot: EMPTY_PILOT,
};

/** What a rehearsal is asked when nobody wrote anything else. */
const REHEARSAL_OBJECTIVE =
  'Show me how a session goes: read the project, make one small change, run it and commit it.';

/** A draft for the engine that a link asks for: a rehearsal comes with its own place and words. */
export function askFor(draft: LaunchDraft, engineId: string | undefined): LaunchDraft {
  if (engineId === undefined) return draft;
  if (engineId !== REHEARSAL_ENGINE_ID) return { ...draft, engineId };
  const objective = draft.objective.trim() === '' ? REHEARSAL_OBJECTIVE : draft.objective;
  return { ...draft, engineId, directory: '', objective };
}

/** What is known of the places and engines that a draft names. */
export type Surroundings = {
  runner: RunnerSummary | undefined;
  engine: EngineReadiness | undefined;
  workspace: WorkspaceDescription | undefined;
};

/** The machine and the engine that a draft names, as far as they exist. */
export function findSurroundings(
  draft: LaunchDraft,
  runners: readonly RunnerSummary[],
): Omit<Surroundings, 'workspace'> {
  const runner = runners.find((candidate) => candidate.runnerId === draft.runnerId);
  const engines = runner?.machine?.engines ?? [];
  return { runner, engine: engines.find((engine) => engine.engineId === draft.engineId) };
}

/** Fills in what the person did not choose, or chose when it still existed. */
export function fillDraft(draft: LaunchDraft, runners: readonly RunnerSummary[]): LaunchDraft {
  const runner =
    runners.find((candidate) => candidate.runnerId === draft.runnerId) ??
    runners.find((candidate) => candidate.presence === 'online') ??
    runners[0];
  const engines = runner?.machine?.engines ?? [];
  // Nothing can be filled in yet, and what was chosen or asked for by a link is not lost meanwhile.
  if (engines.length === 0) return { ...draft, runnerId: runner?.runnerId ?? '' };
  const engine =
    engines.find((candidate) => candidate.engineId === draft.engineId && candidate.ready) ??
    engines.find((candidate) => candidate.ready && candidate.engineId !== REHEARSAL_ENGINE_ID) ??
    engines.find((candidate) => candidate.ready);
  const modes = listModes(engine, runner);
  return {
    ...draft,
    runnerId: runner?.runnerId ?? '',
    engineId: engine?.engineId ?? '',
    approvals: modes.includes(draft.approvals) ? draft.approvals : (modes[0] ?? 'ask'),
  };
}

/**
 * What a launch has to wait for by itself: a machine that is there looks for its engines first, which
 * takes it some seconds. Null where there is nothing to wait for.
 */
export function awaitedOf(runner: RunnerSummary | undefined): string | null {
  if (!runner || runner.presence === 'offline') return null;
  if ((runner.machine?.engines.length ?? 0) > 0) return null;
  return `${runner.name} has not said yet which engines it can run. It does within seconds.`;
}

/** How an engine asks that has no approvals modes to choose among: not at all, or by rules of its own. */
export type OwnAsking = 'never' | 'itself';

/** How an engine that is ready asks where no mode says it; null where one does. */
export function askingOf(engine: EngineReadiness | undefined): OwnAsking | null {
  if (!engine?.ready || engine.approvals.length > 0) return null;
  return engine.capabilities?.approvals ? 'itself' : 'never';
}

/** The approvals modes that the engine knows and the machine allows. */
export function listModes(
  engine: EngineReadiness | undefined,
  runner: RunnerSummary | undefined,
): ApprovalsMode[] {
  const allowed = runner?.machine?.limits.bypass ?? false;
  return (engine?.approvals ?? []).filter((mode) => mode !== 'bypass' || allowed);
}

export type Field = keyof LaunchDraft;
/** What each field still needs, as a sentence. */
export type Problems = Partial<Record<Field, string>>;
/** A launch that can be made, or what is in its way. */
export type Decision =
  | { kind: 'ready'; request: LaunchRequest }
  | { kind: 'not_ready'; problems: Problems };

/** How much power a draft asks for. */
export const wishOf = ({ grade: asked, checkout, pilot }: LaunchDraft): GradeWish => ({
  grade: asked,
  checkout,
  unattended: pilot.mode === 'pilot',
});

/** Decides whether a draft can be launched, and if not, what each field still needs. */
export function decideLaunch(draft: LaunchDraft, around: Surroundings): Decision {
  const problems: Problems = {};
  const { runner, engine, workspace } = around;
  const directory = draft.directory.trim();
  if (!runner) problems.runnerId = 'Choose the machine to work on.';
  else if (runner.presence === 'offline') {
    problems.runnerId =
      'This machine is offline. Start its runner with `pilothouse runner start`, or choose another.';
  }
  if (!engine) problems.engineId = awaitedOf(runner) ?? 'Choose an engine.';
  else if (!engine.ready) {
    problems.engineId = `${engine.label} is not ready here. ${engine.remedy ?? engine.problem ?? ''}`;
  }
  if (directory === '' && draft.engineId !== REHEARSAL_ENGINE_ID) {
    problems.directory = 'Say in which directory to work.';
  } else if (directory !== '' && !directory.startsWith('/')) {
    problems.directory = 'Give the whole path, from / on.';
  } else {
    const blocking = workspace?.problems.find((problem) => problem.blocks);
    if (blocking) problems.directory = blocking.message;
    else if (workspace && workspace.repository === null && draft.checkout === 'own') {
      problems.checkout = 'There is no git repository here to make a checkout of. Work in place.';
    }
  }
  if (!instructionText.safeParse(draft.objective).success) {
    problems.objective =
      draft.objective.trim() === ''
        ? 'Say what to do.'
        : 'This is longer than an instruction may be. Put it in a file of the repository and name it here.';
  }
  const conversation = draft.conversation.trim();
  if (conversation !== '' && draft.checkout === 'own') {
    problems.conversation =
      'A conversation begun by hand goes on where it was begun: choose to work in the directory itself.';
  }
  const budget = draft.budget.trim();
  const budgetMicroUsd = budget === '' ? null : parseMoney(budget);
  if (budget !== '' && budgetMicroUsd === null) {
    problems.budget =
      groupingProblem(budget, decimalMark()) ??
      'Give dollars, such as 5 or 2.50, or leave it empty for no limit.';
  }
  const unpriced =
    budgetMicroUsd !== null && engine
      ? budgetObstacle(engine, draft.approvals, draft.model.trim() || null)
      : null;
  if (unpriced) problems.budget = unpriced;
  const work = readWorkLimits(draft);
  Object.assign(problems, work.problems);
  const limits = runner?.machine?.limits;
  const noOutputMs = parseSilence(draft.silence, limits);
  if (noOutputMs === null) {
    problems.silence =
      groupingProblem(draft.silence, decimalMark()) ??
      `Give minutes, such as 30, up to ${(limits?.noOutputMaxMs ?? NO_OUTPUT_MAX_MS) / 60_000} on this machine, or leave it empty.`;
  }
  const answerMs = parseAnswerHours(draft.answerHours, limits);
  if (answerMs === null) {
    problems.answerHours =
      groupingProblem(draft.answerHours, decimalMark()) ??
      `Give hours, such as 24, up to ${(limits?.answerMaxMs ?? ANSWER_MAX_MS) / 3_600_000} on this machine, or leave it empty.`;
  }
  const forecast = forecastGrade(wishOf(draft), runner?.machine, engine);
  if (!forecast.ok) problems.grade = sentenceOf(forecast);
  const reach = forecast.ok
    ? forecastNetwork(draft.network, forecast.report.grade, runner?.machine)
    : null;
  if (reach && !reach.ok) problems.network = sentenceOf(reach);
  const refused =
    forecast.ok && engine ? modeObstacle(engine, draft.approvals, forecast.report.grade) : null;
  if (refused) problems.grade = refused;
  const pilot = decidePilot(draft.pilot);
  if (pilot.kind === 'not_ready') problems.pilot = firstProblem(pilot.problems);
  else if (pilot.pilot?.brain.kind === 'engine' && engine && canDecide(engine) !== true)
    problems.pilot = sentenceOf({ code: 'brain_engine_unable', detail: engine.label });
  if (pilot.kind === 'not_ready' || Object.keys(problems).length > 0)
    return { kind: 'not_ready', problems };
  const parsed = launchRequest.safeParse({
    runnerId: draft.runnerId,
    engineId: draft.engineId,
    directory: directory === '' ? null : directory,
    objective: draft.objective.trim(),
    checkout: draft.checkout,
    baseRef: draft.checkout === 'own' ? draft.baseRef.trim() || null : null,
    fromUncommitted: draft.checkout === 'own' && draft.fromUncommitted,
    approvals: draft.approvals,
    model: draft.model.trim() || null,
    conversation: conversation || null,
    budgetMicroUsd,
    limits: work.limits,
    noOutputMs,
    answerMs,
    grade: draft.grade,
    ...(draft.network && { network: draft.network }),
    pilot: pilot.pilot,
  });
  if (parsed.success) return { kind: 'ready', request: parsed.data };
  const issue = parsed.error.issues[0];
  const field = String(issue?.path[0] ?? 'objective');
  const known =
    field === 'budgetMicroUsd' ? 'budget' : field in draft ? (field as Field) : 'objective';
  return { kind: 'not_ready', problems: { [known]: `${issue?.message ?? 'It is malformed'}.` } };
}

const sentenceOf = ({ code, detail }: { code: ErrorCode; detail: string }): string =>
  new PilothouseError(code, { detail }).message;

/** The same launch, going on from the session that a link named, or as a fork of it. */
export function goOnFrom(
  from: string | undefined,
  decision: Decision,
  fork: ForkRequest | null = null,
): Decision {
  if (from === undefined || decision.kind !== 'ready') return decision;
  return { ...decision, request: { ...decision.request, from, ...(fork && { fork }) } };
}

/** Minutes as typed, in milliseconds; empty is the usual time. Null where the machine allows no such. */
const parseSilence = (text: string, limits: MachineFacts['limits'] | undefined): number | null =>
  parseSpan(text, 60_000, {
    usual: defaultSilenceMs(limits),
    least: NO_OUTPUT_MIN_MS,
    most: limits?.noOutputMaxMs ?? NO_OUTPUT_MAX_MS,
  });

/** The same of the hours that an approval waits. */
const parseAnswerHours = (text: string, limits: MachineFacts['limits'] | undefined) =>
  parseSpan(text, 3_600_000, {
    usual: defaultAnswerMs(limits),
    least: ANSWER_MIN_MS,
    most: limits?.answerMaxMs ?? ANSWER_MAX_MS,
  });

function parseSpan(
  text: string,
  unitMs: number,
  { usual, least, most }: Record<'usual' | 'least' | 'most', number>,
): number | null {
  const typed = text.trim();
  if (typed === '') return usual;
  const amount = readEitherMark(typed, decimalMark()) ?? '';
  const ms = /^\d{1,4}(\.\d{1,3})?$/.test(amount) ? Math.round(Number(amount) * unitMs) : 0;
  return ms >= least && ms <= most ? ms : null;
}
