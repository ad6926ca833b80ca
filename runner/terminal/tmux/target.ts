import { PilothouseError } from '../../../protocol/errors.ts';
import type { TmuxServer as ServerName } from '../../../protocol/terminal.ts';
import type { PaneFacts } from './panes.ts';

export type TmuxTarget = { server: ServerName; born: string; id: string };

/** The exact id of a pane or session, with the server process that gave it out. */
export const targetOf = (server: ServerName, born: string, id: string): string =>
  `tmux:${server}:${born}:${id}`;

/** Reads an id that {@link targetOf} made. Throws `terminal_not_found` for any other. */
export function parseTarget(target: string): TmuxTarget {
  const match = /^tmux:(own|default):(\d+\.\d+):([%$]\d+)$/.exec(target);
  const [, server, born, id] = match ?? [];
  if ((server !== 'own' && server !== 'default') || !born || !id)
    throw new PilothouseError('terminal_not_found', { detail: target });
  return { server, born, id };
}

/**
 * The pane that a target means among those there are: itself, or the first of a session. Throws
 * `terminal_gone` for one that is not there, or whose number a later server has given out again.
 */
export function pickPane(panes: readonly PaneFacts[], { born, id }: TmuxTarget): PaneFacts {
  const found = panes.find(
    (pane) => pane.server === born && (pane.pane === id || pane.sessionId === id),
  );
  if (!found) throw new PilothouseError('terminal_gone');
  return found;
}
