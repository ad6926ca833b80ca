import type { WatchablePane } from '../../protocol/panes.ts';

const BACKENDS: Record<WatchablePane['backend'], string> = {
  tmux: 'tmux',
  kitty: 'kitty',
  iterm2: 'iTerm2',
};

/** Where a terminal is, as a person would say it: its kind, and its session where it has one. */
export function wordsOfPlace({ backend, session, target }: WatchablePane): string {
  const id = target.slice(target.lastIndexOf(':') + 1);
  return session === null ? `${BACKENDS[backend]} ${id}` : `${BACKENDS[backend]} ${session} ${id}`;
}

const STATES: Record<WatchablePane['state'], string> = {
  shell: 'at a shell',
  program: 'runs',
  fullscreen: 'full screen',
  copy_mode: 'is scrolled in',
  ended: 'ended',
  unknown: '',
};

/** What is in front in a terminal. */
export const wordsOfFront = ({ program, state, agent }: WatchablePane): string =>
  [agent?.engine ?? program, STATES[state]].filter(Boolean).join(' · ');
