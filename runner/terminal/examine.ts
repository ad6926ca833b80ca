import { lstatSync } from 'node:fs';
import type { TerminalFacts } from '../doctor/terminals.ts';
import type { TerminalLimits } from '../limits/terminal.ts';
import type { Terminals } from './registry.ts';
import { serverStateOf } from './tmux/server.ts';
import { parseTmuxVersion } from './tmux/version.ts';

/** Looks at what the limits open. */
export async function examineTerminals(
  limits: TerminalLimits,
  { tmux, others, own }: Terminals,
): Promise<TerminalFacts> {
  const open = [tmux, ...others].filter(({ backend }) => limits.backends.includes(backend));
  const capabilities = await Promise.all(open.map((each) => each.capabilities()));
  if (!limits.backends.includes('tmux'))
    return { capabilities, deafSocket: null, olderServer: null, ended: 0 };
  const running = await own.server.call(['display-message', '-p', '#{version}']);
  const server = running.ok ? running.output.toString().trim() : null;
  const program = parseTmuxVersion((await own.server.call(['-V'])).output.toString())?.text;
  const deaf = serverStateOf(running) === 'unknown' && exists(own.socket);
  const sessions = running.ok ? await tmux.listSessions(false) : [];
  return {
    capabilities,
    // A socket that a server left behind is taken over by the next one.
    deafSocket: deaf ? own.socket : null,
    olderServer: server && program && server !== program ? server : null,
    ended: sessions.filter(({ panes }) => panes.every(({ state }) => state === 'ended')).length,
  };
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
