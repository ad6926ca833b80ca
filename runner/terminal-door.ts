import type { DriveName } from '../protocol/drive-report.ts';
import type { ToolRule } from '../protocol/policy-defaults.ts';
import type { TerminalScope } from '../protocol/terminal-command.ts';
import {
  backendOf,
  type TerminalAnswer,
  type TerminalCall,
  type TerminalPane,
  type TerminalTool,
  type TerminalValue,
} from '../protocol/terminal.ts';

/** Whose call it is that may start a coding agent, and the rules of tools that hold for that one. */
export type Starter = { drive: DriveName; rules: readonly ToolRule[] };

/**
 * The one way to a terminal, with the machine's own limits behind it. `starter` is given where the
 * call may start something.
 */
export type TerminalDoor = (
  call: TerminalCall,
  scope: TerminalScope,
  starter?: Starter,
) => Promise<TerminalAnswer>;

/** The terminal of an id as a listing shows it; null where it is not there or not open. */
export async function findPane(
  target: string,
  scope: TerminalScope,
  door: TerminalDoor,
): Promise<TerminalPane | null> {
  if (target.includes(':$')) {
    const found = await readThrough(door, scope, { tool: 'tmux_list_sessions', params: {} });
    const [first, ...others] = found?.sessions.find((each) => each.target === target)?.panes ?? [];
    const agent = [first, ...others].find((pane) => pane?.agent)?.agent ?? null;
    return first ? { ...first, target, agent } : null;
  }
  const params = { backend: backendOf(target) };
  const found = await readThrough(door, scope, { tool: 'terminal_list', params });
  return found?.panes.find((pane) => pane.target === target) ?? null;
}

/** The value of a read, or null where it was refused: what is not there has no facts. */
export async function readThrough<T extends TerminalTool>(
  door: TerminalDoor,
  scope: TerminalScope,
  call: Extract<TerminalCall, { tool: T }>,
): Promise<TerminalValue[T] | null> {
  const answer = await door(call, scope);
  return answer.ok ? (answer.value as TerminalValue[T]) : null;
}
