import { z } from 'zod';
import { driveName } from './drive-report.ts';
import { foreseenAct } from './terminal-command.ts';
import { toolTouches } from './tool-rules.ts';
import { terminalTarget } from './terminal.ts';

/** How the gate's records name what an agent in a terminal asks; it is no tool, and nobody can call it. */
export const AGENT_PERMISSION = 'agent_permission';

export const paneQuestionId = z.string().regex(/^ask\.[0-9a-f]{32}$/);

/** Most characters of what it would do that leave the machine. */
export const ASKED_MAX_CHARS = 8_000;

/** What a coding agent asks leave for, in its own words. */
export const askedPermission = z.object({
  engine: z.string().min(1).max(40),
  /** Its own name of the tool that it would use. */
  asks: z.string().min(1).max(200),
  /** That tool's input as JSON, without the secrets that the machine knows. */
  input: z.string().max(ASKED_MAX_CHARS),
  /** Characters of the input that were left out at its end. */
  omitted: z.int().nonnegative(),
  directory: z.string().max(4096).nullable(),
});
export type AskedPermission = z.infer<typeof askedPermission>;

/**
 * How a question ended. `allowed`, `denied`: the answer reached the agent's hook. `expired`: nobody
 * answered in time. `elsewhere`: it was answered in the terminal. `gone`: the agent ended.
 */
export const questionEnd = z.enum(['allowed', 'denied', 'expired', 'elsewhere', 'gone']);
export type QuestionEnd = z.infer<typeof questionEnd>;

/** A question of a coding agent that an operator's call started, asked through its own hooks. */
export const paneQuestion = z.object({
  id: paneQuestionId,
  /** The call that started it. */
  drive: driveName,
  /** Where it runs; null where that is not known. */
  target: terminalTarget.nullable(),
  /** By the machine's clock, Unix ms. */
  at: z.int(),
  expiresAt: z.int(),
  permission: askedPermission,
  acts: z.array(foreseenAct).max(100),
  /** What the policy's rules of tools are held against; null: it could not be read, or is too much. */
  touches: toolTouches.nullable().default(null),
  /** Null while it is open. */
  end: questionEnd.nullable(),
});
export type PaneQuestion = z.infer<typeof paneQuestion>;

/** What the cloud has of a question. `refused`: nothing that it knows started this agent. */
export const questionState = z.enum(['waiting', 'allow', 'deny', 'ended', 'refused']);
export const questionKept = z.object({
  id: paneQuestionId,
  state: questionState,
  /** With `deny`: why, for the agent to read. */
  reason: z.string().nullable(),
});
export type QuestionKept = z.infer<typeof questionKept>;

export const answerQuestionParams = z.object({
  questionId: paneQuestionId,
  allow: z.boolean(),
  reason: z.string().max(500),
});

/** What stands once an answer arrived: that one, an earlier one, or what ended the question before. */
export const questionStands = z.object({ stands: z.enum(['allow', 'deny', 'over']) });

/** What a question's end is called on record. */
export const END_REASONS: Readonly<Record<QuestionEnd, string>> = {
  allowed: 'a person allowed it, and the agent’s hook took the answer',
  denied: 'a person said no, and the agent’s hook took the answer',
  expired: 'nobody answered in time; it stands in the terminal',
  elsewhere: 'it was answered in the terminal',
  gone: 'the agent ended before it took an answer',
};
