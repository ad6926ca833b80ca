import { z } from 'zod';
import { connectorOf, narrowConstraintSpec } from '../../protocol/ceiling.ts';
import {
  TERMINAL_RISKS,
  terminalParameters,
  type TerminalRisk,
  type TerminalTool,
} from '../../protocol/terminal.ts';
import type { InstanceRead } from '../operators/read.ts';

/** A tool of an instance as an agent or an MCP client is offered it. */
export type OfferedTool = {
  name: TerminalTool;
  description: string;
  /** Without the terminal where one is bound. */
  input: z.ZodObject;
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
      const single = scopes[connectorOf(name)]?.targets === 'single';
      const { target, ...rest } = terminalParameters[name].shape as Record<string, z.ZodType>;
      const shape = single || !target ? rest : { target, ...rest };
      return {
        name,
        description: DESCRIPTIONS[name],
        input: z.strictObject(shape),
        risk: TERMINAL_RISKS[name],
      };
    });
}

/** A call with the bound terminal where it names none: the gate decides about it like any other. */
export function withBoundTarget(
  { instance }: InstanceRead,
  name: string,
  input: unknown,
): { tool: string; params: unknown } {
  const bound = instance.boundTarget?.target;
  const parameters = Object.entries(terminalParameters).find(([tool]) => tool === name)?.[1];
  const takes = parameters !== undefined && 'target' in parameters.shape;
  const given = typeof input === 'object' && input !== null ? input : {};
  if (!bound || !takes || 'target' in given) return { tool: name, params: input };
  return { tool: name, params: { target: bound, ...given } };
}
