import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { terminalSize } from './takeover.ts';

/**
 * What an operator may ask of a person's own terminals, and what a machine answers. Two families
 * of tools over the same panes: `tmux_*` knows sessions, `terminal_*` every kind of terminal.
 */

export const TERMINAL_BACKENDS = ['tmux', 'kitty', 'iterm2'] as const;
export const terminalBackend = z.enum(TERMINAL_BACKENDS);
export type TerminalBackend = z.infer<typeof terminalBackend>;

/** Which tmux server: the runner's own, on a private socket, or the person's default one. */
export const tmuxServer = z.enum(['own', 'default']);
export type TmuxServer = z.infer<typeof tmuxServer>;

/** Most characters of text that are typed at once. */
export const TERMINAL_TEXT_MAX = 64 * 1024;
export const TERMINAL_KEYS_MAX = 100;
export const TERMINAL_LINES_MAX = 5_000;
/** Longest that a command is waited for, in milliseconds. */
export const TERMINAL_RUN_MAX_MS = 600_000;
/** Most characters that a tool answers with: pane text is charged to whoever reads it. */
export const TERMINAL_OUTPUT_MAX = 200_000;

/** What a tool does to a terminal: each needs a consent of its own. */
export const terminalRisk = z.enum(['read', 'send', 'run', 'kill']);
export type TerminalRisk = z.infer<typeof terminalRisk>;

/**
 * The exact id of a pane or session as a listing gave it. It holds the identity of the program
 * that keeps it, so that a number given out again by a later one is not mistaken for it.
 */
export const terminalTarget = z
  .string()
  .max(200)
  .regex(
    // tmux:SERVER:PID.STARTED:%PANE or $SESSION · kitty:PID:WINDOW · iterm2:UNIQUE-ID
    /^(tmux:(own|default):\d+\.\d+:[%$]\d+|kitty:\d+:\d+|iterm2:[\w-]{1,100})$/,
    'expected an id from a list of terminals',
  );

/** A name for a session of ours: nothing in it means anything to tmux, a shell or a format. */
export const terminalName = z
  .string()
  .regex(/^[A-Za-z0-9][\w-]{0,59}$/, 'expected letters, digits, - and _ alone');

const line = z.string().max(4096);
const directory = z
  .string()
  .max(4096)
  .refine((path) => path.startsWith('/') && !/\p{Cc}/u.test(path), 'expected a whole path');
const command = z
  .string()
  .max(TERMINAL_TEXT_MAX)
  .refine((text) => text.trim() !== '' && !text.includes('\0'), 'must not be empty');

/** Keys by name, as tmux calls them: `Enter`, `C-c`, `M-x`, `Up`, `F5`; a letter is itself. */
export const terminalKey = z
  .string()
  .regex(
    /^((C-|M-|S-)*(Up|Down|Left|Right|Home|End|PageUp|PageDown|Insert|Delete|F([1-9]|1[0-2]))|M?-?(Enter|Tab|Escape|Space|BSpace)|BTab|M-[!-~]|(M-)?C-[a-z@[\\\]^_]|[!-~])$/,
    'expected the name of a key, such as Enter, C-c, Up or y',
  );

const target = terminalTarget;
const capture = {
  target,
  /** How many lines above the screen; 0 is what is shown now. */
  history: z.int().min(0).max(TERMINAL_LINES_MAX).default(0),
  /** Only lines that hold this text, with their numbers. */
  search: z.string().min(1).max(200).nullable().default(null),
};
const run = {
  target,
  command,
  /** `window`: beside the person's work, closed afterwards. `shell`: in the shell of the pane. */
  where: z.enum(['window', 'shell']).default('window'),
  timeoutMs: z.int().min(100).max(TERMINAL_RUN_MAX_MS).default(60_000),
};
const sendText = {
  target,
  text: z.string().min(1),
  /** Whether Enter follows. */
  enter: z.boolean().default(false),
};
const keys = z.array(terminalKey).min(1).max(TERMINAL_KEYS_MAX);

const parameters = {
  tmux_list_sessions: z.strictObject({}),
  tmux_create_session: z.strictObject({
    name: terminalName,
    directory: directory.nullable().default(null),
    /** A program instead of the person's shell, with its arguments; no shell reads it. */
    argv: z.array(line.min(1)).min(1).max(200).nullable().default(null),
    size: terminalSize.default({ columns: 120, rows: 40 }),
    /** Names of variables of the runner that it may have; their values never leave the machine. */
    variables: z
      .array(z.string().regex(/^[A-Za-z_]\w{0,99}$/))
      .max(20)
      .default([]),
  }),
  tmux_capture_pane: z.strictObject(capture),
  tmux_run_command: z.strictObject(run),
  tmux_send_keys: z.strictObject({ target, keys }),
  tmux_kill_session: z.strictObject({ target }),
  terminal_list: z.strictObject({ backend: terminalBackend.nullable().default(null) }),
  terminal_capture: z.strictObject(capture),
  terminal_run_command: z.strictObject(run),
  terminal_send_text: z.strictObject(sendText),
  terminal_send_keys: z.strictObject({ target, keys }),
  terminal_close: z.strictObject({ target }),
} as const;

export type TerminalTool = keyof typeof parameters;
export const TERMINAL_TOOLS = Object.keys(parameters) as TerminalTool[];
export type TerminalParams<T extends TerminalTool> = z.infer<(typeof parameters)[T]>;
export const terminalParameters: Readonly<typeof parameters> = parameters;

/** What each tool does to a terminal. Total: a tool without a risk does not compile. */
export const TERMINAL_RISKS: Readonly<Record<TerminalTool, TerminalRisk>> = {
  tmux_list_sessions: 'read',
  tmux_create_session: 'run',
  tmux_capture_pane: 'read',
  tmux_run_command: 'run',
  tmux_send_keys: 'send',
  tmux_kill_session: 'kill',
  terminal_list: 'read',
  terminal_capture: 'read',
  terminal_run_command: 'run',
  terminal_send_text: 'send',
  terminal_send_keys: 'send',
  terminal_close: 'kill',
};

const call = <const T extends TerminalTool>(tool: T) =>
  z.object({ tool: z.literal(tool), params: parameters[tool] });

export const terminalCall = z.discriminatedUnion('tool', [
  call('tmux_list_sessions'),
  call('tmux_create_session'),
  call('tmux_capture_pane'),
  call('tmux_run_command'),
  call('tmux_send_keys'),
  call('tmux_kill_session'),
  call('terminal_list'),
  call('terminal_capture'),
  call('terminal_run_command'),
  call('terminal_send_text'),
  call('terminal_send_keys'),
  call('terminal_close'),
]);
export type TerminalCall = z.infer<typeof terminalCall>;

/** The kind of terminal that a target is of: its first word. */
export const backendOf = (target: string): TerminalBackend =>
  terminalBackend.parse(target.slice(0, target.indexOf(':')));

/**
 * What became of what was sent. `delivered`: the program showed that it took it. `queued`: the
 * terminal took it, and nothing shows that the program read it. `not_confirmed`: nothing answered.
 */
export const terminalReceipt = z.enum(['delivered', 'queued', 'not_confirmed']);
export type TerminalReceipt = z.infer<typeof terminalReceipt>;

/** A coding agent in a pane. `evidence` is what it was told by, never its name alone. */
export const paneAgent = z.object({
  engine: z.string(),
  pid: z.int(),
  evidence: z.enum(['package', 'executable']),
});
export type PaneAgent = z.infer<typeof paneAgent>;

/** What is in front in a pane. `unknown` counts as the worst of them wherever it matters. */
export const paneState = z.enum([
  'shell',
  'program',
  'fullscreen',
  'copy_mode',
  'ended',
  'unknown',
]);
export type PaneState = z.infer<typeof paneState>;

export const terminalPane = z.object({
  target: terminalTarget,
  backend: terminalBackend,
  /** Name of the session that it is part of; null where there are none. */
  session: z.string().nullable(),
  /** Written by the program in it: never to be trusted. */
  title: z.string(),
  program: z.string(),
  directory: z.string(),
  size: terminalSize,
  state: paneState,
  agent: paneAgent.nullable(),
  /** Made by this runner. */
  ours: z.boolean(),
});
export type TerminalPane = z.infer<typeof terminalPane>;

export const terminalSession = z.object({
  target: terminalTarget,
  server: tmuxServer,
  name: z.string(),
  attached: z.int().nonnegative(),
  createdAt: z.int(),
  ours: z.boolean(),
  panes: z.array(terminalPane),
});
export type TerminalSession = z.infer<typeof terminalSession>;

export const terminalText = z.object({
  text: z.string(),
  /** Characters that were left out at the beginning. */
  omitted: z.int().nonnegative(),
});
export type TerminalText = z.infer<typeof terminalText>;

export const terminalSent = z.object({
  receipt: terminalReceipt,
  bytes: z.int().nonnegative(),
  /** SHA-256 in hex of the bytes as they were written. */
  sha256: z.string(),
});
export type TerminalSent = z.infer<typeof terminalSent>;

/** `running`: it was not over in time and goes on. `interrupted`: it ended without an exit code. */
export const terminalRan = z.object({
  status: z.enum(['ended', 'running', 'interrupted']),
  exitCode: z.int().nullable(),
  receipt: terminalReceipt,
  ...terminalText.shape,
  /** Where it goes on while it is `running`. */
  target: terminalTarget,
});
export type TerminalRan = z.infer<typeof terminalRan>;

export type TerminalValue = {
  tmux_list_sessions: { sessions: TerminalSession[] };
  tmux_create_session: TerminalSession;
  tmux_capture_pane: TerminalText;
  tmux_run_command: TerminalRan;
  tmux_send_keys: TerminalSent;
  tmux_kill_session: { closed: true };
  terminal_list: { panes: TerminalPane[] };
  terminal_capture: TerminalText;
  terminal_run_command: TerminalRan;
  terminal_send_text: TerminalSent;
  terminal_send_keys: TerminalSent;
  terminal_close: { closed: true };
};

export const terminalResults: Readonly<{
  [T in TerminalTool]: z.ZodType<TerminalValue[T]>;
}> = {
  tmux_list_sessions: z.object({ sessions: z.array(terminalSession) }),
  tmux_create_session: terminalSession,
  tmux_capture_pane: terminalText,
  tmux_run_command: terminalRan,
  tmux_send_keys: terminalSent,
  tmux_kill_session: z.object({ closed: z.literal(true) }),
  terminal_list: z.object({ panes: z.array(terminalPane) }),
  terminal_capture: terminalText,
  terminal_run_command: terminalRan,
  terminal_send_text: terminalSent,
  terminal_send_keys: terminalSent,
  terminal_close: z.object({ closed: z.literal(true) }),
};

/** The answer to a call: a value of its tool, or a refusal after which nothing was done. */
export type TerminalAnswer<T extends TerminalTool = TerminalTool> =
  | { ok: true; value: TerminalValue[T] }
  | { ok: false; code: ErrorCode; message: string };

/** What one kind of terminal can do on this machine. */
export const terminalCapabilities = z.object({
  backend: terminalBackend,
  /** The limits open it and the program is there. */
  available: z.boolean(),
  version: z.string().nullable(),
  tools: z.array(z.enum(TERMINAL_TOOLS as [TerminalTool, ...TerminalTool[]])),
  /** Commands can be run in a pane's own shell, not only in a window of their own. */
  shell: z.boolean(),
  /** Output can be watched as it is written. */
  live: z.boolean(),
  /** What is in the way, and whatever else a person should know; null when nothing. */
  note: z.string().nullable(),
});
export type TerminalCapabilities = z.infer<typeof terminalCapabilities>;
