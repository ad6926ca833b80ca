import { z } from 'zod';
import { budgetProblem, budgetTerms } from './budget.ts';
import { engineId } from './engine-id.ts';
import {
  ANSWER_MAX_MS,
  ANSWER_MS,
  type ApprovalsMode,
  approvalsMode,
  NO_OUTPUT_MAX_MS,
  NO_OUTPUT_MS,
} from './launch.ts';
import { engineCapabilities, PARSERS } from './parsers.ts';
import type { EnginePreset } from './preset.ts';
import { type Grade, grade, sealSupport } from './grade.ts';
import { network } from './network.ts';
import { terminalCapabilities } from './terminal.ts';
import { payer } from './usage.ts';

/** Runner presence. `unknown` until the first word after a restart of the cloud. */
export const presence = z.enum(['online', 'offline', 'unknown']);
export type Presence = z.infer<typeof presence>;

/** A runner pings this often; the answer is automatic and wakes nobody. */
export const HEARTBEAT_MS = 15_000;
/** Silence after which a runner counts as offline. */
export const OFFLINE_AFTER_MS = 45_000;

/** Decides presence from the last word heard: null is none since the cloud started. */
export function decidePresence(
  lastHeardAt: number | null,
  connected: boolean,
  nowMs: number,
): Presence {
  if (lastHeardAt === null) return connected ? 'unknown' : 'offline';
  if (!connected) return 'offline';
  return nowMs - lastHeardAt <= OFFLINE_AFTER_MS ? 'online' : 'offline';
}

/** Whether an engine can be launched on this machine, and if not, the one thing to do. */
export const engineReadiness = z.object({
  engineId,
  label: z.string(),
  ready: z.boolean(),
  version: z.string().nullable(),
  payer,
  /** Name of the credential that a session would use, never its value. */
  credential: z.string().nullable(),
  approvals: z.array(approvalsMode),
  /** What a limit in dollars needs; absent from older runners. */
  budget: budgetTerms.optional(),
  /** Those in which it asks a person; older runners do not say. */
  asks: z.array(approvalsMode).optional(),
  /** Those in which it cannot tell what it costs. */
  unmetered: z.array(approvalsMode).optional(),
  /** Its calls go through the model gate, which counts what they cost in every mode; absent: past it. */
  gated: z.boolean().optional(),
  /** Its program was looked for and is there or not; left out where the readiness says it all. */
  installed: z.boolean().optional(),
  /** What an engine of the account's own can do; the runner's own code knows its own. */
  capabilities: engineCapabilities.optional(),
  /** What it needs of a home is known, so that it is sealed without being asked to; older runners do not say. */
  sealable: z.boolean().optional(),
  /** It has a terminal that a person can take over; older runners do not say. */
  keys: z.boolean().optional(),
  /** Approvals modes in which it has that terminal; older runners do not say, and mean all of them. */
  keysIn: z.array(approvalsMode).optional(),
  /** Approvals modes in which words can be put into a turn under way; older runners do not say. */
  steers: z.array(approvalsMode).optional(),
  /** It can be the brain of its own Pilot; older runners do not say. */
  structuredAnswer: z.boolean().optional(),
  /** Approvals modes that its program refuses to root, as which only a sealed session does not run there; absent: none. */
  sealedOnly: z.array(approvalsMode).optional(),
  /** Approvals modes in which its own settings keep it from beginning, each with why and what to do; absent: none. */
  refusedModes: z.array(z.object({ mode: approvalsMode, problem: z.string() })).optional(),
  /** What keeps it from nothing and is not as it should be: a slow answer, a setting; absent: nothing. */
  warnings: z.array(z.object({ problem: z.string(), remedy: z.string() })).optional(),
  /** What is in the way, as a sentence; null when ready. */
  problem: z.string().nullable(),
  /** The one command or step that gets it ready; null when ready. */
  remedy: z.string().nullable(),
});
export type EngineReadiness = z.infer<typeof engineReadiness>;

/**
 * Why an engine would not begin in this approvals mode under this grade, with what to do; null when
 * nothing is in the way. Its program would say so itself, to nobody.
 */
export function modeObstacle(
  {
    label,
    sealedOnly,
    refusedModes,
  }: Pick<EngineReadiness, 'label' | 'sealedOnly' | 'refusedModes'>,
  approvals: ApprovalsMode,
  grade: Grade,
): string | null {
  const refused = refusedModes?.find(({ mode }) => mode === approvals);
  if (refused) return refused.problem;
  if (grade === 'sealed' || !sealedOnly?.includes(approvals)) return null;
  return `${label} refuses the approvals mode \`${approvals}\` to root, and the runner is root on this machine: only a sealed session is not. Choose another mode or the grade \`sealed\`, or run the runner as an ordinary user.`;
}

/**
 * Why a limit in dollars cannot be kept by this engine in this approvals mode with this model
 * (null: its own choice), and what to do, as a sentence. Null when it can, or the runner is too
 * old to say.
 */
export function budgetObstacle(
  { budget, unmetered, gated }: Pick<EngineReadiness, 'budget' | 'unmetered' | 'gated'>,
  approvals: ApprovalsMode,
  model: string | null,
): string | null {
  const tells = budget?.kind !== 'none' && !unmetered?.includes(approvals);
  // Its gate prices each call before it begins, and refuses one whose price is not known.
  if (!tells && gated) return null;
  if (!tells && budget?.kind !== 'none')
    return 'This engine does not tell what it costs in this approvals mode, so a limit in dollars cannot be kept without an API key in the environment of the runner. Choose another mode, or launch without a budget.';
  return budget ? budgetProblem(budget, model) : null;
}

/** Whether an engine can be the brain of its own Pilot; null where nobody has said, or a runner cannot. */
export const canDecide = (
  engine: Pick<EngineReadiness, 'structuredAnswer' | 'capabilities'> | undefined,
): boolean | null =>
  engine ? (engine.capabilities?.structuredAnswer ?? engine.structuredAnswer ?? null) : null;

/** The engines of a machine with those that the account keeps, which stand for their id. */
export const withOwnEngines = (
  told: readonly EngineReadiness[],
  own: readonly EngineReadiness[],
): EngineReadiness[] => [
  ...told.filter(({ engineId: id }) => !own.some((each) => each.engineId === id)),
  ...own,
];

/** What of a launch says which engine runs it, and in which form. */
type LaunchedEngine = {
  engineId: string;
  approvals: ApprovalsMode;
  /** The engine as the account keeps it; its parser is its form. */
  preset?: Pick<EnginePreset, 'parser'> | null;
};

/** Whether words can be put into a turn of this engine in this mode; null where nobody has said. */
export function canSteer(
  machine: Pick<MachineFacts, 'engines'> | null | undefined,
  launch: LaunchedEngine,
): boolean | null {
  if (launch.preset) return PARSERS[launch.preset.parser].steers;
  const engine = machine?.engines.find(({ engineId: id }) => id === launch.engineId);
  return engine?.steers ? engine.steers.includes(launch.approvals) : null;
}

/**
 * Whether the engine of a launch has a terminal on this machine that takes keys. Null where the
 * machine has not said.
 */
export function hasKeys(
  machine: Pick<MachineFacts, 'engines'> | null,
  launch: LaunchedEngine,
): boolean | null {
  if (!machine) return null;
  if (launch.preset) {
    // Whether a terminal can be opened there shows in those that the machine tells of by itself.
    const told = machine.engines.flatMap(({ keys }) => keys ?? []);
    if (!PARSERS[launch.preset.parser].keys) return false;
    return told.length === 0 ? null : told.includes(true);
  }
  const engine = machine.engines.find(({ engineId: id }) => id === launch.engineId);
  if (!engine) return false;
  const { keys = null, keysIn } = engine;
  return keys && keysIn ? keysIn.includes(launch.approvals) : keys;
}

export const machineFacts = z.object({
  hostname: z.string(),
  platform: z.string(),
  arch: z.string(),
  nodeVersion: z.string(),
  pilothouseVersion: z.string(),
  homeDirectory: z.string(),
  /** What the machine's own limits allow, as it says itself: shown, never widened. */
  limits: z.object({
    source: z.string().nullable(),
    directories: z.array(z.string()),
    engines: z.array(z.string()),
    bypass: z.boolean(),
    /** Longest silence that a launch may ask for, in milliseconds; older runners do not say. */
    noOutputMaxMs: z.int().positive().default(NO_OUTPUT_MAX_MS),
    /** How long an engine may say nothing when it is started. Absent: a runner of before that was told. */
    startMs: z.int().positive().optional(),
    /** Longest that an approval may wait for a person, in milliseconds; older runners do not say. */
    answerMaxMs: z.int().positive().optional(),
    /** The least power-holding grade that a launch must have; older runners demand none. */
    minimumGrade: grade.default('open'),
    /** Whether anybody may take a session over with keys; older runners do not say. */
    takeover: z.boolean().optional(),
    /** How many literals and patterns are redacted beside the values of variables; older runners do not say. */
    secretPatterns: z.int().nonnegative().optional(),
    /** What a launch has that asks for none: null is the strictest that works. Absent from older runners: open. */
    defaultGrade: grade.nullable().optional(),
    /** The most that a session may reach, and what one reaches that asks for nothing; older runners do not say. */
    minimumNetwork: network.optional(),
    defaultNetwork: network.optional(),
    /** How long what is no part of a record is kept, in ms; older runners keep it as long as usual. */
    kept: z.object({ checkout: z.int(), output: z.int(), image: z.int() }).optional(),
  }),
  /** Absent from older runners, which cannot. */
  seal: sealSupport.optional(),
  engines: z.array(engineReadiness),
  /** It takes images with an instruction; older runners do not. */
  images: z.literal(true).optional(),
  /** It can fork a session; an older runner would begin one that has nothing of it. */
  forks: z.literal(true).optional(),
  /** Those that its limits open to operators; older runners do not say. */
  terminals: z.array(terminalCapabilities).optional(),
});
export type MachineFacts = z.infer<typeof machineFacts>;

export const doctorFinding = z.object({
  check: z.string(),
  status: z.enum(['ok', 'warning', 'problem']),
  message: z.string(),
  remedy: z.string().nullable(),
});
export type DoctorFinding = z.infer<typeof doctorFinding>;
export const doctorReport = z.object({ findings: z.array(doctorFinding) });
export type DoctorReport = z.infer<typeof doctorReport>;

/** Longest that a question to a machine waits, in ms: it may start its engines to look at them. */
export const LOOK_TIMEOUT_MS = 30_000;

/** The silence after which an engine is ended where nobody chose: what the machine allows of it. */
export const defaultSilenceMs = (limits: MachineFacts['limits'] | undefined): number =>
  Math.min(NO_OUTPUT_MS, limits?.noOutputMaxMs ?? NO_OUTPUT_MAX_MS);

/** How long an approval waits where nobody chose: what the machine allows of it. */
export const defaultAnswerMs = (limits: MachineFacts['limits'] | undefined): number =>
  Math.min(ANSWER_MS, limits?.answerMaxMs ?? ANSWER_MAX_MS);
