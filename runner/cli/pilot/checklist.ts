import { parse } from 'yaml';
import { z } from 'zod';
import { type ChecklistStep, checklistSteps } from '../../../protocol/pilot.ts';
import { EXIT, Failure, messageOf } from '../../failure.ts';
import { readInput } from '../read-input.ts';

/** A checklist as a person writes it; seconds, because nobody thinks of a test run in ms. */
const checklistFile = z.strictObject({
  steps: z
    .array(
      z.strictObject({
        title: z.string(),
        check: z.string(),
        seconds: z.number().positive().optional(),
      }),
    )
    .min(1),
});

const EXAMPLE = 'steps:\n  - title: The tests pass\n    check: npm test';

/** Reads a checklist, in YAML or JSON; `-` is standard input. Throws a {@link Failure} that shows what one looks like. */
export function readChecklist(path: string): ChecklistStep[] {
  try {
    const { steps } = checklistFile.parse(parse(readInput(path)));
    return checklistSteps.parse(
      steps.map(({ title, check, seconds }) => ({
        title,
        check,
        ...(seconds !== undefined && { timeoutMs: Math.round(seconds * 1_000) }),
      })),
    );
  } catch (error) {
    throw new Failure(
      EXIT.usage,
      'bad_checklist',
      `${path} is no checklist: ${wordsOf(error)}. One looks like this:\n\n${EXAMPLE}`,
      { cause: error },
    );
  }
}

function wordsOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return messageOf(error);
  const [issue] = error.issues;
  return `${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'malformed'}`;
}
