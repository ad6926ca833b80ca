import { shellWord } from '../../../protocol/shell-word.ts';
import { terminalTarget } from '../../../protocol/terminal.ts';

/** What a person named: a session, a terminal of this machine, or a tmux session of the runner's. */
export type Named =
  | { kind: 'session'; sessionId: string }
  | { kind: 'tmux'; server: 'own' | 'default'; born: string | null; id: string }
  | { kind: 'kitty'; pid: number; window: string }
  | { kind: 'iterm2' };

/** Reads a name as it was typed; null is none that can be attached to. Pure. */
export function parseNamed(text: string): Named | null {
  if (/^ses_[0-9a-z]{1,40}$/.test(text)) return { kind: 'session', sessionId: text };
  if (/^[A-Za-z0-9][\w-]{0,59}$/.test(text))
    return { kind: 'tmux', server: 'own', born: null, id: `=${text}:` };
  if (!terminalTarget.safeParse(text).success) return null;
  const [backend = '', first = '', second = '', third = ''] = text.split(':');
  if (backend === 'tmux')
    return { kind: 'tmux', server: first === 'own' ? 'own' : 'default', born: second, id: third };
  return backend === 'kitty'
    ? { kind: 'kitty', pid: Number(first), window: second }
    : { kind: 'iterm2' };
}

export type Places = {
  /** The socket of the runner's own tmux server. */
  socket: string;
  /** The socket of the tmux client that this shell is in; null outside of one. */
  inside: string | null;
  /** Where kitty listens; null where nobody said. */
  kitty: string | null;
};

/** The words that reach a tmux server. Pure. */
export const tmuxArgv = (server: 'own' | 'default', { socket }: Places): [string, ...string[]] =>
  server === 'own' ? ['tmux', '-S', socket] : ['tmux'];

/**
 * The command that brings a terminal before the person; null where no command does. `reached` is
 * the socket of the server that it is in. A client of tmux within another one of the same server
 * would show itself without end, so that there the client is led to it instead. Pure.
 */
export function decideCommand(
  named: Named,
  places: Places,
  reached: string | null,
): [string, ...string[]] | null {
  switch (named.kind) {
    case 'session':
      return ['pilothouse', 'takeover', named.sessionId];
    case 'tmux': {
      const within = places.inside !== null && places.inside === reached;
      const verb = within ? 'switch-client' : 'attach-session';
      return [...tmuxArgv(named.server, places), verb, '-t', named.id];
    }
    case 'kitty': {
      if (places.kitty === null) return null;
      const to = `unix:${places.kitty}`;
      return ['kitty', '@', '--to', to, 'focus-window', '--match', `id:${named.window}`];
    }
    case 'iterm2':
      return null;
    default:
      return named satisfies never;
  }
}

/** A command as it is typed at a shell. Pure. */
export const asTyped = (argv: readonly string[]): string => argv.map(shellWord).join(' ');
