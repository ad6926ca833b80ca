import type {
  PaneAgent,
  PaneState,
  TerminalPane,
  TmuxServer as ServerName,
} from '../../../protocol/terminal.ts';
import { fitSize } from '../../../protocol/takeover.ts';
import { asksNothing, readRunningClaude } from '../../agents/running-claude.ts';
import { listProcesses } from '../../process/process-table.ts';
import type { PaneLook } from '../decide-send.ts';
import { findAgent } from '../look/agents.ts';
import { decideBox } from '../look/agent-box.ts';
import {
  isInFront,
  readFront,
  readLineMode,
  type LineMode,
  type ShellKind,
} from '../look/front.ts';
import { decideLine, type CursorLine } from '../look/prompt-line.ts';
import type { PaneFacts } from './panes.ts';
import { readAgentBox, readCursorLine } from './screen.ts';
import type { TmuxServer } from './server.ts';
import { targetOf } from './target.ts';

type Table = ReturnType<typeof listProcesses>;

/** A pane as a listing tells it. `own` is the marker of this runner. */
export function describePane(
  server: ServerName,
  facts: PaneFacts,
  own: string,
  table: Table,
): TerminalPane {
  return {
    target: targetOf(server, facts.server, facts.pane),
    backend: 'tmux',
    session: facts.session,
    title: facts.title,
    program: facts.program,
    directory: facts.directory,
    size: fitSize(facts),
    state: stateOf(facts),
    agent: facts.dead ? null : findAgent(facts.pid, table),
    ours: facts.marker === own,
  };
}

function stateOf(facts: PaneFacts): PaneState {
  if (facts.dead) return 'ended';
  if (facts.inMode) return 'copy_mode';
  if (facts.alternate) return 'fullscreen';
  const front = readFront(facts.pid);
  if (front.own === null) return 'unknown';
  return front.shell !== null && front.own ? 'shell' : 'program';
}

/** What was found just before something is written, and the line as it stood. */
export type Closer = PaneLook & {
  shell: ShellKind | null;
  mode: LineMode;
  cursorLine: CursorLine | null;
};

/** Looks closely, at the line too. `pending` is the line as our own last words left it. */
export async function lookAtPane(
  server: TmuxServer,
  facts: PaneFacts,
  pending: CursorLine | null,
): Promise<Closer> {
  const { sharedInput } = facts;
  const agent = facts.dead ? null : findAgent(facts.pid, listProcesses());
  const mode = facts.dead ? null : await readLineMode(facts.tty);
  const { shell } = readFront(facts.pid);
  const state = closerState(stateOf(facts), shell, mode);
  const dialog = agent ? await dialogOf(agent) : ('none' as const);
  const nobody = { state, sharedInput, agent, dialog, shell, mode, cursorLine: null, line: null };
  if (agent && dialog === 'none')
    return { ...nobody, line: decideBox(await readAgentBox(server, facts)) };
  if (state !== 'shell') return nobody;
  const cursorLine = await readCursorLine(server, facts);
  const line = cursorLine === null ? 'unclear' : decideLine(cursorLine, pending);
  return { ...nobody, cursorLine, line };
}

/** What an agent says of itself; one that says nothing, or is not in front, may be asking. */
export async function dialogOf({ engine, pid }: PaneAgent): Promise<PaneLook['dialog']> {
  if (engine !== 'claude' || !isInFront(pid)) return 'maybe';
  return asksNothing(await readRunningClaude(pid), Date.now()) ? 'none' : 'maybe';
}

/**
 * A shell that edits its line itself has the terminal hand over every key; where it does not, the
 * shell is reading for a script. dash leaves its line to the terminal always. Pure.
 */
export function closerState(state: PaneState, shell: ShellKind | null, mode: LineMode): PaneState {
  if (state !== 'shell' || shell === 'dash') return state;
  if (mode === null) return 'unknown';
  return mode.canonical ? 'program' : 'shell';
}
