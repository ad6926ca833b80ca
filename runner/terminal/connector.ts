import type {
  TerminalBackend,
  TerminalCapabilities,
  TerminalPane,
  TerminalParams,
  TerminalRan,
  TerminalSent,
  TerminalSession,
  TerminalText,
} from '../../protocol/terminal.ts';
import type { ShownTerminal } from '../shown-terminal.ts';

/** A terminal that is being watched; `session` is the name of its session as it is now. */
export type Watched = ShownTerminal & { readonly session: string | null; close(): void };

/**
 * How a coding agent that a call starts is begun so that it asks through its own hooks; null from
 * either leaves what was said as it is.
 */
export type AgentStart = {
  /** A program and its arguments. */
  program(argv: readonly string[]): string[] | null;
  /** What the program is to be given in its environment, and nowhere else. */
  variables: Readonly<Record<string, string>>;
  line(command: string): string | null;
};

/**
 * One kind of terminal. Every method throws a `PilothouseError` with a code of `terminal_*` where
 * it did nothing, and looks at the target anew: nothing that was known before decides.
 */
export type Connector = {
  readonly backend: TerminalBackend;
  capabilities(): Promise<TerminalCapabilities>;
  /** `everywhere`: what the person began too, where that has to be opened. */
  list(everywhere: boolean): Promise<TerminalPane[]>;
  /** The one pane of an exact id, or of the active one of a session's id. */
  find(target: string): Promise<TerminalPane>;
  capture(params: TerminalParams<'terminal_capture'>): Promise<TerminalText>;
  run(params: TerminalParams<'terminal_run_command'>): Promise<TerminalRan>;
  sendText(params: TerminalParams<'terminal_send_text'>): Promise<TerminalSent>;
  sendKeys(params: TerminalParams<'terminal_send_keys'>): Promise<TerminalSent>;
  close(target: string): Promise<void>;
  /** Whether a person may be let type into its terminals from elsewhere. */
  readonly drivable: boolean;
  /** Shows a terminal for as long as it is watched. */
  watch(target: string): Promise<Watched>;
  /** Lets go of every connection; terminals stay as they are. */
  stop(): void;
};

/** What only a terminal with sessions can do. */
export type SessionConnector = Connector & {
  listSessions(everywhere: boolean): Promise<TerminalSession[]>;
  create(
    params: TerminalParams<'tmux_create_session'>,
    start?: AgentStart | null,
  ): Promise<TerminalSession>;
  kill(target: string): Promise<void>;
  /** When a person last typed in front of a pane, Unix ms; null: nobody is there. */
  typedAt(target: string): Promise<number | null>;
};
