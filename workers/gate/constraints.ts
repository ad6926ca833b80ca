import { CONNECTOR_BACKENDS, type Connector } from '../../protocol/ceiling.ts';
import type { TerminalBackend, TerminalRisk, TerminalTool } from '../../protocol/terminal.ts';

/** What a call is aimed at, and so which limits it meets. */
export type Aim =
  /** One terminal that is there: back end, name, binding. */
  | 'target'
  /** A session that is to be made: its name; a bound operator makes none. */
  | 'new'
  /** All of them: the answer is cut to what the limits leave. */
  | 'list';

export type ToolConstraint = { risk: TerminalRisk; aim: Aim };

export type ConnectorConstraint = {
  /** Back ends that the connector can speak to at all. */
  backends: readonly TerminalBackend[];
  tools: Readonly<Partial<Record<TerminalTool, ToolConstraint>>>;
};

const look = { risk: 'read', aim: 'target' } as const;
const send = { risk: 'send', aim: 'target' } as const;
const run = { risk: 'run', aim: 'target' } as const;
const kill = { risk: 'kill', aim: 'target' } as const;
const list = { risk: 'read', aim: 'list' } as const;

/**
 * Every connector, and what each of its tools meets at the gate. The one table to review: a tool
 * that is not in it is refused.
 */
export const CONNECTOR_CONSTRAINTS: Readonly<Record<Connector, ConnectorConstraint>> = {
  tmux: {
    backends: CONNECTOR_BACKENDS.tmux,
    tools: {
      tmux_list_sessions: list,
      tmux_create_session: { risk: 'run', aim: 'new' },
      tmux_capture_pane: look,
      tmux_run_command: run,
      tmux_send_keys: send,
      tmux_kill_session: kill,
    },
  },
  terminal: {
    backends: CONNECTOR_BACKENDS.terminal,
    tools: {
      terminal_list: list,
      terminal_capture: look,
      terminal_run_command: run,
      terminal_send_text: send,
      terminal_send_keys: send,
      terminal_close: kill,
    },
  },
};
