import type { TerminalLimits } from '../limits/terminal.ts';
import { terminalMarkerOf, terminalSocketOf } from '../terminal-socket.ts';
import type { Connector, SessionConnector } from './connector.ts';
import type { Sweeping } from './survive/sweep.ts';
import { ITerm2 } from './iterm2.ts';
import { Kitty } from './kitty.ts';
import { Tmux } from './tmux.ts';
import { ownServerArgv } from './tmux/create.ts';
import { TmuxServer, tmuxEnvironment } from './tmux/server.ts';

/** Every kind of terminal that this runner knows. The one place that knows them by name. */
export type Terminals = {
  tmux: SessionConnector;
  others: readonly Connector[];
  /** The runner's own tmux server, and what says whose its sessions are. */
  own: Sweeping & { socket: string };
};

/**
 * `root` is the runner's own directory for terminals, which also says whose sessions are whose.
 * `limits` are read anew at every call. `isAsking` says whether an agent waits for an answer.
 */
export function openTerminals(
  root: string,
  env: NodeJS.ProcessEnv,
  limits: () => Pick<TerminalLimits, 'kittySocket'>,
  isAsking: (pid: number) => boolean = () => false,
): Terminals {
  const kept = tmuxEnvironment(env);
  const marker = terminalMarkerOf(root);
  const socket = terminalSocketOf(root);
  const server = new TmuxServer('own', ownServerArgv(root, socket), kept);
  return {
    own: { server, marker, root, socket },
    tmux: new Tmux({
      servers: [server, new TmuxServer('default', ['tmux'], kept)],
      marker,
      root,
      env,
      shell: env['SHELL'] || '/bin/sh',
      isAsking,
    }),
    others: [
      new Kitty({
        root,
        shell: env['SHELL'] || '/bin/sh',
        socket: () => limits().kittySocket ?? pathOf(env['KITTY_LISTEN_ON']),
        isAsking,
      }),
      new ITerm2({ env: kept }),
    ],
  };
}

/** Lets go of every connection; terminals stay as they are. */
export function stopTerminals({ tmux, others }: Terminals): void {
  for (const connector of [tmux, ...others]) connector.stop();
}

/** The path of a socket as kitty names it; one without a path cannot be checked. */
const pathOf = (name: string | undefined): string | null =>
  name?.startsWith('unix:/') ? name.slice('unix:'.length) : null;
