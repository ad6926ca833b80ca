import type { TerminalParams, TerminalText } from '../../../protocol/terminal.ts';
import { readBox, type AgentBox } from '../look/agent-box.ts';
import { cutAtCursor, type CursorLine } from '../look/prompt-line.ts';
import { capText, searchLines, trimScreen } from '../look/text.ts';
import type { PaneFacts } from './panes.ts';
import type { TmuxServer } from './server.ts';

/**
 * What a pane shows, with lines of its history. As a process of its own: an answer inside of
 * control mode would be ended by a pane whose text looks like the end of an answer.
 */
export async function capturePane(
  server: TmuxServer,
  pane: PaneFacts,
  { history, search }: Pick<TerminalParams<'terminal_capture'>, 'history' | 'search'>,
): Promise<TerminalText> {
  // -J joins what was wrapped, so that a long line is found whole.
  const words = ['capture-pane', '-p', '-J', '-t', pane.pane, '-S', `-${history}`];
  const text = trimScreen((await server.demand(words)).toString());
  return capText(search === null ? text : searchLines(text, search));
}

/** What stands in the box of a coding agent, where the cursor is in one. */
export async function readAgentBox(server: TmuxServer, pane: PaneFacts): Promise<AgentBox | null> {
  const words = ['capture-pane', '-p', '-t', pane.pane, '-S', '0', '-E', `${pane.cursor.y}`];
  return readBox((await server.demand(words)).toString().replace(/\n$/, '').split('\n'));
}

/** The line that the cursor is on, with the parts above it that it is the end of. */
export async function readCursorLine(
  server: TmuxServer,
  pane: PaneFacts,
): Promise<CursorLine | null> {
  // -N keeps the spaces at the end, which a cursor may stand behind.
  const rows = ['capture-pane', '-p', '-N', '-t', pane.pane, '-S', '0', '-E', `${pane.cursor.y}`];
  const joined = ['capture-pane', '-p', '-J', '-t', pane.pane, '-S', '0', '-E', `${pane.cursor.y}`];
  const row = lastLine(await server.demand(rows));
  const cut = cutAtCursor(row, pane.cursor.x);
  if (!cut) return null;
  const whole = lastLine(await server.demand(joined)).trimEnd();
  const end = row.trimEnd();
  // Of a line that was wrapped, the rows above belong before the cursor.
  const above = whole.length > row.length && whole.endsWith(end) ? whole.slice(0, -end.length) : '';
  return { before: above + cut.before, after: cut.after };
}

const lastLine = (output: Buffer): string =>
  output.toString().replace(/\n$/, '').split('\n').at(-1) ?? '';
