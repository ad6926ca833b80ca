import { z } from 'zod';

/** How much power a session holds, from the most to the least. */
export const GRADES = ['open', 'fenced', 'sealed'] as const;
export const grade = z.enum(GRADES);
export type Grade = z.infer<typeof grade>;

/** Those that can be asked for. */
export const OFFERED_GRADES = ['open', 'sealed'] as const satisfies readonly Grade[];

/** The grade that a session has, and why it is this one, as a sentence. */
export const gradeReport = z.object({ grade, reason: z.string() });
export type GradeReport = z.infer<typeof gradeReport>;

/** Whether a machine can seal sessions, as it found out by trying. */
export const sealSupport = z.object({
  available: z.boolean(),
  /** What is in the way, as a sentence; null when nothing is. */
  problem: z.string().nullable(),
  /** The one thing to do about it; null when there is nothing. */
  remedy: z.string().nullable(),
});
export type SealSupport = z.infer<typeof sealSupport>;

/** Whether a grade holds at least as little power as another. */
export const isAtLeast = (given: Grade, least: Grade): boolean =>
  GRADES.indexOf(given) >= GRADES.indexOf(least);
