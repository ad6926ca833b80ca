import type { TerminalPane } from '../../protocol/terminal.ts';
import type { TerminalLimits } from '../limits/terminal.ts';
import type { Terminals } from './registry.ts';

/**
 * The terminal whose coding agent is one of these processes, in tmux or a back end that the limits
 * open; null where none is.
 */
export async function locateAgent(
  { tmux, others }: Pick<Terminals, 'tmux' | 'others'>,
  { backends }: Pick<TerminalLimits, 'backends'>,
  pids: readonly number[],
): Promise<{ target: string; pid: number } | null> {
  const sessions = await tmux.listSessions(true).catch(() => []);
  const inTmux = findAmong(
    sessions.flatMap(({ panes }) => panes),
    pids,
  );
  if (inTmux) return inTmux;
  for (const other of others.filter(({ backend }) => backends.includes(backend))) {
    const found = findAmong(await other.list(true).catch(() => []), pids);
    if (found) return found;
  }
  return null;
}

function findAmong(
  panes: readonly Pick<TerminalPane, 'target' | 'agent'>[],
  pids: readonly number[],
): { target: string; pid: number } | null {
  for (const { target, agent } of panes)
    if (agent && pids.includes(agent.pid)) return { target, pid: agent.pid };
  return null;
}
