import { readEitherMark } from '../../protocol/amounts.ts';
import { decimalMark } from '../format/locale.ts';
import { z } from 'zod';
import type { LaunchRequest } from '../../protocol/http.ts';
import { brainKeyId } from '../../protocol/ids.ts';
import {
  BRAIN_KINDS,
  type BrainSpec,
  checklistStep,
  pilotBounds,
  pilotMode,
} from '../../protocol/pilot.ts';

/** One step of the checklist, as typed. */
const stepDraft = z.object({ title: z.string(), check: z.string(), minutes: z.string() });
export type StepDraft = z.infer<typeof stepDraft>;

/** Who gives the next instructions, and by what: as typed, like the rest of the form. */
export const pilotDraft = z.object({
  mode: pilotMode,
  brain: z.enum(BRAIN_KINDS),
  steps: z.array(stepDraft),
  keyId: z.string(),
  model: z.string(),
  maxTurns: z.string(),
  maxHours: z.string(),
  beginsAnew: z.boolean().default(false),
});
export type PilotDraft = z.infer<typeof pilotDraft>;

export const EMPTY_STEP: StepDraft = { title: '', check: '', minutes: '' };

/** A person gives every instruction until they choose otherwise. */
export const EMPTY_PILOT: PilotDraft = {
  mode: 'manual',
  brain: 'checklist',
  steps: [EMPTY_STEP],
  keyId: '',
  model: '',
  maxTurns: '',
  maxHours: '',
  beginsAnew: false,
};

/** What each part still needs, as a sentence. `steps` has one place for each step. */
export type PilotProblems = {
  steps?: readonly (string | null)[];
  keyId?: string;
  model?: string;
  maxTurns?: string;
  maxHours?: string;
};
export type PilotChoice =
  | { kind: 'ready'; pilot: LaunchRequest['pilot'] }
  | { kind: 'not_ready'; problems: PilotProblems };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Decides whether a Pilot has all it goes by. A person who drives needs nothing. */
export function decidePilot(draft: PilotDraft): PilotChoice {
  const { mode } = draft;
  if (mode === 'manual') return { kind: 'ready', pilot: null };
  // Without any, the first one is missing.
  const typed = draft.steps.length > 0 ? draft.steps : [EMPTY_STEP];
  const steps = typed.map((step) => parseStep(step));
  const maxTurns = parseNumber(draft.maxTurns);
  const maxHours = parseNumber(draft.maxHours);
  const bounds = pilotBounds.safeParse({
    ...(maxTurns !== null && { maxTurns }),
    ...(maxHours !== null && { maxWallMs: Math.round(maxHours * HOUR_MS) }),
  });
  const wrong = new Set(bounds.error?.issues.map(({ path }) => path[0]));
  const problems: PilotProblems = {
    ...(steps.some(({ problem }) => problem !== null) && {
      steps: steps.map(({ problem }) => problem),
    }),
    ...(wrong.has('maxTurns') && { maxTurns: 'Give a whole number from 1 to 500.' }),
    ...(wrong.has('maxWallMs') && { maxHours: 'Give hours, such as 8 or 0.5, up to 168.' }),
    ...(draft.brain === 'api' && problemsOfModel(draft)),
  };
  if (Object.keys(problems).length > 0) return { kind: 'not_ready', problems };
  const brain = brainOf(
    draft,
    steps.flatMap(({ step }) => (step ? [step] : [])),
  );
  const anew = draft.beginsAnew && { beginsAnew: true };
  return { kind: 'ready', pilot: { mode, brain, bounds: bounds.data, ...anew } };
}

/** The first thing that a Pilot still needs, as a sentence. */
export function firstProblem({ steps, ...others }: PilotProblems): string {
  const ofSteps = steps?.find((problem) => problem !== null);
  return ofSteps ?? Object.values(others)[0] ?? 'The Pilot is not complete.';
}

function brainOf({ brain, keyId, model }: PilotDraft, steps: BrainSpec['steps']): BrainSpec {
  switch (brain) {
    case 'checklist':
      return { kind: brain, steps };
    case 'engine':
      return { kind: brain, model: model.trim() || null, steps };
    case 'api':
      return { kind: brain, keyId: brainKeyId.parse(keyId), model: model.trim(), steps };
    default:
      return brain satisfies never;
  }
}

function problemsOfModel({ keyId, model }: PilotDraft): PilotProblems {
  return {
    ...(!brainKeyId.safeParse(keyId).success && { keyId: 'Choose the key of its API.' }),
    ...(model.trim() === '' && { model: 'Name the model that decides.' }),
  };
}

type Step = BrainSpec['steps'][number];

function parseStep({ title, check, minutes }: StepDraft): {
  step: Step | null;
  problem: string | null;
} {
  const none = (problem: string) => ({ step: null, problem });
  if (check.trim() === '')
    return none('Name a command whose success proves this step, such as npm test.');
  const time = parseNumber(minutes);
  const parsed = checklistStep.safeParse({
    title: title.trim() || check.trim().slice(0, 200),
    check: check.trim(),
    ...(time !== null && { timeoutMs: Math.round(time * MINUTE_MS) }),
  });
  if (parsed.success) return { step: parsed.data, problem: null };
  const [issue] = parsed.error.issues;
  if (issue?.path[0] === 'timeoutMs') return none('Give minutes, such as 10 or 0.5, up to 60.');
  return none(`${issue?.path[0] === 'title' ? 'The title' : 'The check'}: ${issue?.message}.`);
}

/** A number as typed; null where nothing was, and not a number where something else was. */
function parseNumber(text: string): number | null {
  const typed = text.trim();
  return typed === '' ? null : Number(readEitherMark(typed, decimalMark()) ?? Number.NaN);
}
