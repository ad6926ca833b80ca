import type { ErrorCode } from '../../protocol/errors.ts';
import { backendOf, type TerminalCall, type TerminalPane } from '../../protocol/terminal.ts';
import type { TerminalScope } from '../../protocol/terminal-command.ts';
import type { TerminalLimits } from '../limits/terminal.ts';

export type Reach = { allowed: true } | { allowed: false; code: ErrorCode; detail: string };

const YES: Reach = { allowed: true };
const no = (detail: string, code: ErrorCode = 'terminal_not_allowed'): Reach => ({
  allowed: false,
  code,
  detail,
});

/** Decides whether a call may look for its terminal at all: by its words alone. Pure. */
export function decideCall(limits: TerminalLimits, { tool, params }: TerminalCall): Reach {
  const tmux = tool.startsWith('tmux_');
  const named = 'target' in params ? backendOf(params.target) : null;
  const backend = tmux ? 'tmux' : named;
  if (tmux && named !== null && named !== 'tmux')
    return no('tmux tools reach tmux alone', 'terminal_not_found');
  if (backend !== null && !limits.backends.includes(backend)) return no(`${backend} is closed`);
  if ('target' in params && params.target.startsWith('tmux:default:') && !limits.defaultServer)
    return no('the default tmux server is closed');
  if (tool === 'tmux_create_session') {
    const other = params.variables.find((name) => !limits.variables.includes(name));
    if (other !== undefined) return no(`${other} is not among \`variables\``);
  }
  return YES;
}

/** Decides whether a person may watch terminals from elsewhere, and type into them. Pure. */
export function decideWatch(limits: TerminalLimits, drive: boolean): Reach {
  if (!limits.watch) return no('`watch = false`', 'terminal_watch_not_allowed');
  if (drive && !limits.drive) return no('`drive = false`', 'terminal_drive_not_allowed');
  return YES;
}

/** Decides whether a terminal that was found may be shown or touched. Pure. */
export function decidePane(
  limits: TerminalLimits,
  pane: Pick<TerminalPane, 'backend' | 'session' | 'target'>,
): Reach {
  if (!limits.backends.includes(pane.backend)) return no(`${pane.backend} is closed`);
  if (!pane.target.startsWith('tmux:default:')) return YES;
  if (!limits.defaultServer) return no('the default tmux server is closed');
  const named = limits.prefixes?.some((prefix) => pane.session?.startsWith(prefix)) ?? true;
  return named ? YES : no('the session’s name begins with none of `prefixes`');
}

/**
 * Decides whether a terminal that was found is still one of those that the gate decided about: a
 * session may have another name by now. `asked` is the id by which it was found. Pure.
 */
export function decideScope(
  scope: TerminalScope | null,
  pane: Pick<TerminalPane, 'backend' | 'session'>,
  asked: string | null,
): Reach {
  if (!scope) return YES;
  if (!scope.backends.includes(pane.backend)) return no(`the operator may not use ${pane.backend}`);
  if (scope.only !== null && asked !== scope.only)
    return no('the operator works in another terminal');
  const other = scope.prefixes.find((prefix) => !pane.session?.startsWith(prefix));
  return other === undefined ? YES : no(`the session’s name does not begin with ${other}`);
}
