import { z } from 'zod';
import { brainKeyId } from './ids.ts';
import { instructionText } from './instruction.ts';

/** Who gives the instructions after the first: the Pilot, the Pilot with a person's yes, a person. */
export const pilotMode = z.enum(['pilot', 'co_pilot', 'manual']);
export type PilotMode = z.infer<typeof pilotMode>;

const MINUTE_MS = 60_000;
export const CHECK_TIMEOUT_MAX_MS = 60 * MINUTE_MS;
const CHECK_TIMEOUT_MS = 10 * MINUTE_MS;

/** A shell line whose exit code 0 proves something. It runs only where it was approved. */
export const checkCommand = z
  .string()
  .min(1)
  .max(2_000)
  .refine(
    (line) => line.trim().length > 0 && !/[\0\r\n]/.test(line),
    'a check is one line of a shell',
  );

export const checklistStep = z.object({
  title: z.string().trim().min(1).max(200),
  check: checkCommand,
  /** Ended after so long, in ms, which counts as failed. */
  timeoutMs: z.int().min(1_000).max(CHECK_TIMEOUT_MAX_MS).default(CHECK_TIMEOUT_MS),
});
export type ChecklistStep = z.infer<typeof checklistStep>;
export const checklistSteps = z.array(checklistStep).min(1).max(50);

/** What decides the next step. Whatever decides, only checks that pass can prove a finish. */
export const BRAIN_KINDS = ['checklist', 'engine', 'api'] as const;
export const brainSpec = z.discriminatedUnion('kind', [
  /** No model: what fails of these checks is the next instruction. */
  z.object({ kind: z.literal('checklist'), steps: checklistSteps }),
  /** The session's own engine, asked beside its conversation. */
  z.object({
    kind: z.literal('engine'),
    /** Null is the session's own. */
    model: z.string().trim().min(1).max(100).nullable().default(null),
    steps: checklistSteps,
  }),
  /** A model, asked from the server with a key that no machine gets. */
  z.object({
    kind: z.literal('api'),
    keyId: brainKeyId,
    model: z.string().trim().min(1).max(100),
    steps: checklistSteps,
  }),
]);
export type BrainSpec = z.infer<typeof brainSpec>;

/** What a run may take before it stops by itself or asks. */
export const pilotBounds = z.object({
  /** Instructions in all, the first one included. */
  maxTurns: z.int().min(1).max(500).default(30),
  /** From the launch, in ms; the time in which a person was waited for does not count. */
  maxWallMs: z
    .int()
    .min(MINUTE_MS)
    .max(7 * 24 * 60 * MINUTE_MS)
    .default(8 * 60 * MINUTE_MS),
  /** How often a bad decision, or an instruction that did not arrive, is tried again. */
  maxDecisionRetries: z.int().min(0).max(10).default(2),
  /** Turns without any progress after which a person is asked. */
  stallTurns: z.int().min(2).max(20).default(3),
});

export const pilotSpec = z.object({
  mode: pilotMode.exclude(['manual']),
  brain: brainSpec,
  bounds: pilotBounds.prefault({}),
  /**
   * A conversation that has grown long is begun anew before the next instruction, told what was
   * done. Absent or false, it is kept: what it knows and never said would be forgotten.
   */
  beginsAnew: z.boolean().optional(),
});
export type PilotSpec = z.infer<typeof pilotSpec>;

/** Characters of a check's output that are kept: its end. */
export const EVIDENCE_TAIL_CHARS = 8_000;

/** One check as the runner ran it. */
export const evidence = z.object({
  title: z.string(),
  command: z.string(),
  passed: z.boolean(),
  /** Null: it was ended, for its time or with the session. */
  exitCode: z.int().nullable(),
  durationMs: z.int().nonnegative(),
  /** The end of what it said, redacted. */
  tail: z.string().max(EVIDENCE_TAIL_CHARS),
});
export type Evidence = z.infer<typeof evidence>;

const why = { reason: z.string().trim().min(1).max(4_000), evidence: z.array(evidence).max(50) };
/** What a brain may answer, whatever it is made of. */
export const pilotDecision = z.discriminatedUnion('next', [
  z.object({ next: z.literal('instruct'), instruction: instructionText, ...why }),
  z.object({ next: z.literal('finish'), ...why }),
  z.object({ next: z.literal('ask_human'), ...why }),
  /** `until` is Unix ms. */
  z.object({ next: z.literal('wait_until'), until: z.int().positive(), ...why }),
]);
export type PilotDecision = z.infer<typeof pilotDecision>;

export const PILOT_STATUSES = [
  'deciding',
  'instructing',
  'waiting_turn',
  'judging',
  'waiting_person',
  'waiting_until',
  'paused',
  'finished',
  'stopped',
  'failed',
] as const;
export const pilotStatus = z.enum(PILOT_STATUSES);
export type PilotStatus = z.infer<typeof pilotStatus>;

/** Whether nothing more will happen. */
export function isPilotOver(status: PilotStatus): boolean {
  return status === 'finished' || status === 'stopped' || status === 'failed';
}

/** What a person may ask of a Pilot. */
export const pilotAsk = z.discriminatedUnion('action', [
  z.object({ action: z.literal('pause') }),
  z.object({ action: z.literal('resume') }),
  z.object({ action: z.literal('stop') }),
  z.object({
    action: z.literal('objective'),
    objective: instructionText,
    /** Left out, the steps stay as they are. */
    steps: checklistSteps.optional(),
  }),
  /** Says yes to the proposal of this step, or to `instruction` in its place; answers a question. */
  z.object({
    action: z.literal('confirm'),
    step: z.int().positive(),
    instruction: instructionText.optional(),
    /** Goes on in the conversation as it is where the proposal would begin it anew. */
    keep: z.literal(true).optional(),
  }),
  /** Whether a conversation that has grown long is begun anew from here on. */
  z.object({ action: z.literal('conversation'), beginsAnew: z.boolean() }),
]);
export type PilotAsk = z.infer<typeof pilotAsk>;
