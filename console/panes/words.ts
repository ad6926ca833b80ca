import { nameBackend } from '../../protocol/operator-words.ts';
import type { WatchablePane } from '../../protocol/panes.ts';

/** Where a terminal is, as a person would say it: its kind, and its session where it has one. */
export function wordsOfPlace({ backend, session, target }: WatchablePane): string {
  const id = target.slice(target.lastIndexOf(':') + 1);
  return [nameBackend(backend), session, id].filter((part) => part !== null).join(' ');
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
