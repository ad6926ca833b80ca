import { z } from 'zod';
import { connectorOf, narrowConstraintSpec } from '../../protocol/ceiling.ts';
import {
  TERMINAL_RISKS,
  TERMINAL_TOOLS,
  terminalParameters,
  type TerminalRisk,
  type TerminalTool,
} from '../../protocol/terminal.ts';
import type { InstanceRead } from '../operators/read.ts';

/** A tool of an instance as an agent or an MCP client is offered it. */
export type OfferedTool = {
  name: TerminalTool;
  description: string;
  /** Without the terminal where the operator works in one alone. */
  input: z.ZodObject;
  /** It works in the terminal bound to the operator, and in no other. */
  bound: boolean;
  risk: TerminalRisk;
};

const DESCRIPTIONS: Readonly<Record<TerminalTool, string>> = {
  tmux_list_sessions: 'List the tmux sessions that you may use, with their panes and their ids.',
  tmux_create_session: 'Start a tmux session with a shell or one program in a directory.',
  tmux_capture_pane:
    'Read what a pane shows now. `history`: so many lines above it too. `search`: only lines that hold this text.',
  tmux_run_command:
    'Run a command line and get its output and exit code. `where`: `window` runs it beside the pane; `shell` in the pane’s own shell, where `cd` and variables take effect.',
  tmux_send_keys: 'Press keys, such as `C-c`, `Enter`, `Up` or single letters.',
  tmux_kill_session: 'End a tmux session and all that runs in it.',
  terminal_list: 'List the terminals that you may use, with their ids.',
  terminal_capture:
    'Read what a terminal shows now. `history`: so many lines above it too. `search`: only lines that hold this text.',
  terminal_run_command:
    'Run a command line and get its output and exit code. `where`: `window` runs it beside the terminal; `shell` in its own shell.',
  terminal_send_text: 'Type text; with `enter`, Enter follows.',
  terminal_send_keys: 'Press keys, such as `C-c`, `Enter`, `Up` or single letters.',
  terminal_close: 'Close a terminal and all that runs in it.',
};

/** The tools that are left to an instance after every limit, in the order of its definition. */
export function offeredTools({ instance, definition }: InstanceRead): OfferedTool[] {
  const { tools, scopes } = narrowConstraintSpec(definition.ceiling, instance.narrowing);
  return tools
    .filter(
      (name) => scopes[connectorOf(name)] && instance.consents[TERMINAL_RISKS[name]] !== 'never',
    )
    .map((name) => {
      const { target, ...rest } = terminalParameters[name].shape as Record<string, z.ZodType>;
      const bound = target !== undefined && scopes[connectorOf(name)]?.targets === 'single';
      const input = z.strictObject(bound || !target ? rest : { target, ...rest });
      return { name, description: DESCRIPTIONS[name], input, bound, risk: TERMINAL_RISKS[name] };
    });
}

/**
 * A call with the bound terminal, where the operator works in that one alone and the call names
 * none: the gate decides about it like any other.
 */
export function withBoundTarget(
  { instance, definition }: InstanceRead,
  name: string,
  input: unknown,
): { tool: string; params: unknown } {
  const asked = { tool: name, params: input };
  const target = instance.boundTarget?.target;
  const tool = TERMINAL_TOOLS.find((each) => each === name);
  if (!tool || !target || !('target' in terminalParameters[tool].shape)) return asked;
  const { scopes } = narrowConstraintSpec(definition.ceiling, instance.narrowing);
  const given = typeof input === 'object' && input !== null ? input : {};
  if (scopes[connectorOf(tool)]?.targets !== 'single' || 'target' in given) return asked;
  return { tool, params: { target, ...given } };
}
