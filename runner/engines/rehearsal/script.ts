import { readFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * What a rehearsal plays, as data: docs/rehearsal.md describes every step. The same engine is
 * the rehearsal that a person sees and the fake engine of the tests.
 */
const ms = z
  .int()
  .nonnegative()
  .max(24 * 3600 * 1000);

const step = <const N extends string, S extends z.ZodRawShape>(name: N, shape: S) =>
  z.strictObject({
    do: z.literal(name),
    /** Played only when the last request was answered so. */
    when: z.enum(['allowed', 'denied']).optional(),
    ...shape,
  });

/** Asks before it runs, unless the approvals mode allows it without asking. */
const ask = z.boolean().default(false);

const stepSchema = z.discriminatedUnion('do', [
  step('text', {
    text: z.string(),
    chunkChars: z.int().positive().default(8),
    everyMs: ms.default(0),
  }),
  step('thinking', { text: z.string(), narration: z.boolean().default(false) }),
  step('bash', {
    command: z.string(),
    description: z.string().default(''),
    background: z.boolean().default(false),
    timeoutMs: ms.default(120_000),
    ask,
  }),
  step('read', { path: z.string() }),
  step('write', { path: z.string(), content: z.string(), ask }),
  step('edit', { path: z.string(), find: z.string(), replace: z.string(), ask }),
  step('question', {
    question: z.string(),
    header: z.string().default('Question'),
    options: z.array(z.object({ label: z.string(), description: z.string().default('') })).min(1),
    multiSelect: z.boolean().default(false),
  }),
  step('subagent', { description: z.string(), text: z.string(), command: z.string() }),
  step('wait', { ms }),
  step('usage', {
    inputTokens: z.int().nonnegative().default(0),
    outputTokens: z.int().nonnegative().default(0),
    cacheReadTokens: z.int().nonnegative().default(0),
    cacheWriteTokens: z.int().nonnegative().default(0),
    costUsd: z.number().nonnegative().default(0),
  }),
  step('crash', {
    exitCode: z.int().min(0).max(255).default(1),
    signal: z.string().optional(),
    stderr: z.string().optional(),
  }),
  step('silence', { deaf: z.boolean().default(false) }),
  step('garbage', { line: z.string().default('this is not JSON') }),
  step('raw', { line: z.record(z.string(), z.unknown()) }),
  step('flood', {
    kind: z.enum(['deltas', 'blocks', 'lines']).default('deltas'),
    count: z.int().positive(),
    text: z.string().default('x'),
  }),
  step('failure', {
    error: z.string(),
    status: z.int().nullable().default(null),
    words: z.string().default('API Error'),
    retries: z.int().nonnegative().default(0),
    retryMs: ms.default(0),
  }),
  step('daemon', { seconds: z.int().positive().default(60) }),
  step('output', { bytes: z.int().positive(), text: z.string().default('0123456789abcdef\n') }),
]);
export type Step = z.infer<typeof stepSchema>;
export type StepOf<N extends Step['do']> = Extract<Step, { do: N }>;

const decisionSchema = z.union([
  z.strictObject({
    next: z.string(),
    instruction: z.string().nullable().default(null),
    waitMinutes: z.number().nullable().default(null),
    reason: z.string(),
    /** Answers so much later. */
    afterMs: ms.optional(),
  }),
  /** Words that are no decision. */
  z.string(),
]);

export const scriptSchema = z.strictObject({
  /** What the process does before it reads anything: a slow start, a death, a hang. */
  startUp: z
    .strictObject({
      delayMs: ms.default(0),
      hang: z.boolean().default(false),
      exitCode: z.int().min(0).max(255).optional(),
      stderr: z.string().optional(),
    })
    .optional(),
  /** One list of steps per instruction; the last list repeats. */
  turns: z.array(z.array(stepSchema)).min(1),
  /** What it answers as the brain of its own Pilot, one after another; absent: what the checks say. */
  decisions: z.array(decisionSchema).min(1).optional(),
});
export type Script = z.infer<typeof scriptSchema>;
export type ScriptInput = z.input<typeof scriptSchema>;

/** Reads a script file. Throws with the place of the first mistake. */
export function readScript(path: string): Script {
  const parsed = scriptSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Error(`${path}: ${issue?.path.join('.')}: ${issue?.message}`);
}
