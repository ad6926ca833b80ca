import type { Terminals } from './registry.ts';

/** The terminal in tmux whose coding agent is one of these processes; null where none is. */
export async function locateAgent(
  { tmux }: Pick<Terminals, 'tmux'>,
  pids: readonly number[],
): Promise<{ target: string; pid: number } | null> {
  const sessions = await tmux.listSessions(true).catch(() => []);
  for (const { target, agent } of sessions.flatMap(({ panes }) => panes))
    if (agent && pids.includes(agent.pid)) return { target, pid: agent.pid };
  return null;
}
