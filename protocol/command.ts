import { z } from 'zod';
import { approvalAnswer } from './approval.ts';
import { BRAIN_PROMPT_CHARS, BRAIN_SYSTEM_CHARS, BRAIN_TIMEOUT_MAX_MS } from './brain-answer.ts';
import { rewindRequest } from './checkpoints.ts';
import { findFilesParams } from './find-files.ts';
import { commandId, launchId, requestId, sessionId, turnId } from './ids.ts';
import { imageRef, IMAGES_MAX } from './image.ts';
import { instructionText } from './instruction.ts';
import { landRequest } from './land.ts';
import { launchSpec } from './launch.ts';
import { CHECK_TIMEOUT_MAX_MS, checkCommand } from './pilot.ts';
import { answerQuestionParams } from './pane-question.ts';
import { previewRequest } from './preview.ts';
import { enginePreset, PRESETS_MAX } from './preset.ts';
import { patchQuery } from './review.ts';
import { turnGrant } from './shared-budget.ts';
import { story } from './story.ts';
import { terminalSize } from './takeover.ts';
import {
  terminalCommandParams,
  terminalLookParams,
  terminalReadParams,
} from './terminal-command.ts';
import { terminalTarget } from './terminal.ts';

const instruction = z.object({
  turnId,
  text: instructionText,
  /** What it comes with; absent is nothing. */
  images: z.array(imageRef).max(IMAGES_MAX).optional(),
  /** What the turn may come to by the account's budgets; absent where none counts it. */
  grant: turnGrant.optional(),
});
export type Instruction = z.infer<typeof instruction>;

const params = {
  'session/start': z.object({
    launch: launchSpec,
    launchId,
    /** The conversation to carry on; null begins a new one. */
    engineSessionId: z.string().min(1).nullable(),
    firstTurn: instruction.nullable(),
    /** What was done so far, for a conversation that turns out to be lost. Absent: nothing, or not known. */
    story: story.optional(),
  }),
  /** `steer`: into the turn under way, past those that wait. */
  'session/instruct': instruction.extend({ steer: z.boolean().optional() }),
  'session/answer': z.object({ requestId, answer: approvalAnswer }),
  'session/interrupt': z.object({}),
  'session/stop': z.object({}),
  /** Ends the engine's process, a turn under way first; the conversation goes on in a new one. */
  'session/restart': z.object({}),
  /** Opens the engine's own terminal on the conversation; `turnId` is the interval's place in the record. */
  'session/takeover': z.object({ turnId, size: terminalSize }),
  'session/release': z.object({}),
  /** Lifts the halt of a breach that a person has answered for. */
  'session/resume': z.object({}),
  /** Begins the conversation anew with the next turn, which is told this story of what came before. */
  'session/compact': z.object({ story }),
  'workspace/list': z.object({ path: z.string().max(4096), limit: z.int().positive().max(500) }),
  'workspace/describe': z.object({ path: z.string().max(4096) }),
  'workspace/files': findFilesParams.extend({ path: z.string().min(1).max(4096) }),
  'tool/output': z.object({ toolId: z.string() }),
  'checkout/list': z.object({
    /** Where the page before ended; null begins. */
    cursor: z.string().max(200).nullable(),
    limit: z.int().positive().max(100),
  }),
  /** Of the command's session. With `discard` it goes although something would be lost. */
  'checkout/remove': z.object({ discard: z.boolean() }),
  /** Of the command's session, while it works as well. */
  'checkout/files': findFilesParams,
  /** Of the command's session: everything that it changed, and one file of that. */
  'checkout/review': z.object({}),
  'checkout/patch': patchQuery,
  /** Commits, pushes or proposes what was reviewed; again with the same it goes on where it was. */
  'checkout/land': landRequest,
  'checkout/checkpoints': z.object({}),
  /** Puts the files back to how they were; with the same again nothing more happens. */
  'checkout/rewind': rewindRequest,
  /** Of the command's session: the ports that its processes listen on, and a way to one. */
  'preview/list': z.object({}),
  'preview/open': previewRequest,
  /** Of the command's session, in its seal. The same `checkId` again joins the run that there is. */
  'check/run': z.object({
    checkId: z.string().min(1).max(120),
    title: z.string().max(200),
    command: checkCommand,
    timeoutMs: z.int().positive().max(CHECK_TIMEOUT_MAX_MS),
  }),
  /**
   * Asks the engine of the command's session for a decision of its Pilot, beside the conversation.
   * The same `step` again is the same question: answered from what is known of it.
   */
  'brain/ask': z.object({
    step: z.int().positive(),
    system: z.string().max(BRAIN_SYSTEM_CHARS),
    prompt: z.string().max(BRAIN_PROMPT_CHARS),
    /** Null is the session's own. */
    model: z.string().min(1).max(100).nullable(),
    timeoutMs: z.int().positive().max(BRAIN_TIMEOUT_MAX_MS),
    /** What the budgets that count it let it come to; absent is no limit. */
    grant: turnGrant.optional(),
  }),
  'doctor/run': z.object({}),
  /** The terminals that a person may watch, as the machine's limits let them. */
  'terminal/panes': z.object({}),
  /** Shows a terminal on a connection of its own; `drive` asks whether keys would be taken too. */
  'terminal/watch': z.object({ target: terminalTarget, drive: z.boolean() }),
  'engines/look': z.object({ presets: z.array(enginePreset).max(2 * PRESETS_MAX) }),
  /** What a call to a terminal would do; nothing is done. */
  'terminal/look': terminalLookParams,
  'terminal/read': terminalReadParams,
  /** Writes: one that was begun and not ended is never begun again. */
  'terminal/call': terminalCommandParams,
  /** Answers what a coding agent in a terminal asked; the first answer stands. */
  'terminal/answer': answerQuestionParams,
} as const;

export type CommandMethod = keyof typeof params;
export type CommandParams<M extends CommandMethod> = z.infer<(typeof params)[M]>;

/** Methods that act: recorded durably on the runner before they run, and never run twice. */
export const ACTING_METHODS: ReadonlySet<CommandMethod> = new Set([
  'session/start',
  'session/instruct',
  'session/answer',
  'session/interrupt',
  'session/stop',
  'session/restart',
  'session/takeover',
  'session/release',
  'session/resume',
  'session/compact',
  'terminal/call',
]);

const base = {
  id: commandId,
  /** The fencing epoch of the session's lease; a stale one is refused. Zero has no session. */
  epoch: z.int().nonnegative(),
  sessionId: sessionId.nullable(),
  /** After this time the command is answered `expired` instead of being carried out. */
  deadlineAt: z.int(),
};
const command = <const M extends CommandMethod>(method: M) =>
  z.object({ ...base, method: z.literal(method), params: params[method] });

export const commandSchema = z.discriminatedUnion('method', [
  command('session/start'),
  command('session/instruct'),
  command('session/answer'),
  command('session/interrupt'),
  command('session/stop'),
  command('session/restart'),
  command('session/takeover'),
  command('session/release'),
  command('session/resume'),
  command('session/compact'),
  command('workspace/list'),
  command('workspace/describe'),
  command('workspace/files'),
  command('tool/output'),
  command('checkout/list'),
  command('checkout/remove'),
  command('checkout/files'),
  command('checkout/review'),
  command('checkout/patch'),
  command('checkout/land'),
  command('checkout/checkpoints'),
  command('checkout/rewind'),
  command('preview/list'),
  command('preview/open'),
  command('check/run'),
  command('brain/ask'),
  command('doctor/run'),
  command('terminal/panes'),
  command('terminal/watch'),
  command('engines/look'),
  command('terminal/look'),
  command('terminal/read'),
  command('terminal/call'),
  command('terminal/answer'),
]);
export type Command = z.infer<typeof commandSchema>;

export const directoryEntry = z.object({
  name: z.string(),
  path: z.string(),
  /** It is the top of a git repository. */
  repository: z.boolean(),
});
export const directoryListing = z.object({
  path: z.string(),
  entries: z.array(directoryEntry),
  more: z.boolean(),
});
export type DirectoryListing = z.infer<typeof directoryListing>;

export const workspaceDescription = z.object({
  path: z.string(),
  /** Top of the repository; null when the directory is in none. */
  repository: z.string().nullable(),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  uncommittedFiles: z.int().nonnegative(),
  branches: z.array(z.string()),
  /** What would refuse or change a launch here, each as a sentence. */
  problems: z.array(z.object({ code: z.string(), message: z.string(), blocks: z.boolean() })),
});
export type WorkspaceDescription = z.infer<typeof workspaceDescription>;

export const commandResult = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), code: z.string(), message: z.string() }),
]);
export type CommandResult = z.infer<typeof commandResult>;
