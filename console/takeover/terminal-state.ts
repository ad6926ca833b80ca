import type { PaneDriver } from '../../protocol/panes.ts';
import type { TerminalFrame } from '../../protocol/terminal-frames.ts';
import type { Connection } from '../lib/lasting-socket.ts';

/** What a window on a terminal knows beside the picture itself. */
export type TerminalState = {
  connection: Connection;
  /** Keys typed here reach the engine. */
  driving: boolean;
  /** The machine's terminal is there to be shown; null until the server has said. */
  machine: boolean | null;
  /** A screen was drawn since the terminal was last there. */
  shown: boolean;
  /** Keys were lost, and nothing was typed since. */
  dropped: boolean;
  /** The lease went to somebody else while this window drove. */
  demoted: boolean;
  /** Who types into a terminal of a machine's own; null is nobody. */
  driver: PaneDriver | null;
  /** Why the server closed the window, in its words. */
  failure: string | null;
};

/** A window before the first word of the server. */
export const UNOPENED: TerminalState = {
  connection: { kind: 'connecting' },
  driving: false,
  machine: null,
  shown: false,
  dropped: false,
  demoted: false,
  driver: null,
  failure: null,
};

/** What a frame changes; the picture is drawn elsewhere. */
export function reduceTerminal(state: TerminalState, frame: TerminalFrame): TerminalState {
  switch (frame.type) {
    case 'attached':
      // What was shown before a connection broke says nothing of whether the machine is there now.
      return {
        ...state,
        driving: frame.driving,
        machine: frame.connected,
        shown: frame.connected && state.shown,
        failure: null,
      };
    case 'screen':
      return { ...state, machine: true, shown: true };
    case 'machine':
      return { ...state, machine: frame.connected, shown: frame.connected && state.shown };
    case 'lease':
      return { ...state, driver: frame.driver };
    case 'demoted':
      return { ...state, driving: false, demoted: true };
    case 'dropped':
      return { ...state, dropped: true };
    case 'failed':
      return { ...state, failure: frame.message };
    case 'size':
      return state;
    default:
      return frame satisfies never;
  }
}

/** Whose terminal it is: an engine's, or one that the machine has by itself. */
export type TerminalOwner = 'engine' | 'machine';

/** What is said over a terminal that cannot be shown as it is; null while it can. */
export function wordsOver(state: TerminalState, owner: TerminalOwner = 'engine'): string | null {
  const { connection, machine, shown } = state;
  if (connection.kind === 'ended')
    return state.failure ?? 'The server closed this window. Reload the page, or sign in again.';
  if (connection.kind === 'offline')
    return `The connection is lost and tried again by itself. ${owner === 'engine' ? 'The engine’s' : 'The'} terminal stays open meanwhile.`;
  if (machine === false && !shown) return WAITING[owner];
  return shown ? null : OPENING[owner];
}

const WAITING: Record<TerminalOwner, string> = {
  engine:
    'Waiting for the terminal on the machine. It opens when the engine’s process has ended, and opens again when its runner is back.',
  machine: 'Waiting for the machine to show the terminal. It does as soon as its runner is there.',
};
const OPENING: Record<TerminalOwner, string> = {
  engine: 'Opening the engine’s terminal …',
  machine: 'Opening the terminal …',
};

/** What is said beside a terminal that is shown; null while there is nothing to say. */
export function wordsBeside(state: TerminalState, owner: TerminalOwner = 'engine'): string | null {
  if (state.demoted)
    return owner === 'engine'
      ? 'Somebody else took the session over. You watch.'
      : 'You type here no more: somebody else does, or nothing was typed for ten minutes.';
  return state.dropped ? DROPPED[owner] : null;
}

const DROPPED: Record<TerminalOwner, string> = {
  engine:
    'Some keys did not reach the engine: nothing was there to take them, or they were too many. Look before you type on.',
  machine:
    'Some keys did not reach the terminal: somebody scrolls there, it is gone, its machine forbids it, or they were too many. Look before you type on.',
};
