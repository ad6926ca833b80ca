import { z } from 'zod';
import { actKind } from './act.ts';
import { requestId, turnId } from './ids.ts';
import { cappedText } from './text.ts';

export const question = z.object({
  question: z.string(),
  header: z.string().nullable(),
  options: z.array(z.object({ label: z.string(), description: z.string().nullable() })),
  multiSelect: z.boolean(),
});
export type Question = z.infer<typeof question>;

/** Something the engine may not do, or cannot know, before a person answers. */
export const approvalRequest = z.object({
  requestId,
  turnId: turnId.nullable(),
  toolId: z.string().nullable(),
  /** `push`: the gate keeps it for the answer, whatever becomes of turn and engine meanwhile. */
  kind: z.enum(['tool', 'question', 'plan', 'push']),
  toolName: z.string(),
  /** The tool's input as JSON text, redacted and cut. */
  input: cappedText,
  /** One line that says what would happen: the command, the file, the plan's first words. */
  summary: z.string(),
  /** Acts that allowing it would commit, so that a push is asked for as a push. */
  acts: z.array(actKind),
  questions: z.array(question),
  /** Wider permissions that the engine itself offers, in its order; answered by index. */
  suggestions: z.array(z.object({ label: z.string() })),
  requestedAt: z.int(),
  /** When the engine stops waiting, if it does. */
  expiresAt: z.int().nullable(),
});
export type ApprovalRequest = z.infer<typeof approvalRequest>;

/** Whether the engine itself waits for the answer, and so can do nothing before. */
export const holdsEngineUp = ({ kind }: Pick<ApprovalRequest, 'kind'>): boolean => kind !== 'push';

export const approvalAnswer = z.object({
  decision: z.enum(['allow', 'deny']),
  /** Told to the engine with a denial. */
  message: z.string().max(10_000).nullable().default(null),
  /** For a question: the question's text to the chosen label or labels, or the person's words. */
  answers: z.record(z.string(), z.string()).nullable().default(null),
  /** Accept the engine's suggestion of this index: "allow for this session". */
  suggestion: z.int().nonnegative().nullable().default(null),
});
export type ApprovalAnswer = z.infer<typeof approvalAnswer>;

/** How a request ended, as the engine knows it. */
export const approvalResolution = z.enum(['allowed', 'denied', 'expired', 'withdrawn']);
export type ApprovalResolution = z.infer<typeof approvalResolution>;
