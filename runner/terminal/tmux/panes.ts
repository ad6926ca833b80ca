import { randomBytes } from 'node:crypto';
import { serverStateOf, type TmuxServer } from './server.ts';
import { PilothouseError } from '../../../protocol/errors.ts';

/** The option that says whose a session is: the runner that made it. */
export const MARKER = '@pilothouse';

const FIELDS = [
  'pid',
  'start_time',
  'session_id',
  'session_name',
  'session_attached',
  'session_created',
  MARKER,
  'destroy-unattached',
  'window_id',
  'pane_id',
  'pane_pid',
  'pane_tty',
  'pane_width',
  'pane_height',
  'pane_in_mode',
  'pane_dead',
  'pane_synchronized',
  'pane_input_off',
  'alternate_on',
  'keypad_cursor_flag',
  'cursor_x',
  'cursor_y',
  'history_size',
  'pane_current_command',
  'pane_current_path',
  'pane_title',
] as const;
type Field = (typeof FIELDS)[number];

/** A pane as tmux tells it. Ids are tmux's own (`%1`, `$0`). */
export type PaneFacts = {
  /** The server process, which a later one on the same socket is not. */
  server: string;
  sessionId: string;
  session: string;
  attached: number;
  createdAtMs: number;
  marker: string;
  /** The session would end when the last client leaves it. */
  endsUnattached: boolean;
  window: string;
  pane: string;
  pid: number;
  tty: string;
  columns: number;
  rows: number;
  inMode: boolean;
  dead: boolean;
  sharedInput: boolean;
  alternate: boolean;
  /** The program asked for the other form of the arrow keys. */
  applicationKeys: boolean;
  cursor: { x: number; y: number };
  historyLines: number;
  program: string;
  directory: string;
  title: string;
};

/** Every pane of a server; none where nothing listens. Throws `terminal_failed` where that is not sure. */
export async function listPanes(server: TmuxServer): Promise<PaneFacts[]> {
  // Names, titles and paths are anybody's: only what nobody could know separates them.
  const nonce = randomBytes(12).toString('hex');
  const format = [...FIELDS.map((field) => `#{${field}}`), `${nonce}-row`].join(nonce);
  const result = await server.call(['list-panes', '-a', '-F', format]);
  if (result.ok) return parsePanes(result.output.toString(), nonce);
  // A server whose last session has just ended still answers.
  const last = result.problem === 'no current target';
  if (last || serverStateOf(result) === 'none') return [];
  throw new PilothouseError('terminal_failed', { detail: `tmux: ${result.problem}` });
}

/** Parses what {@link listPanes} asked for. A row that is not whole is left out. */
export function parsePanes(output: string, nonce: string): PaneFacts[] {
  return output.split(`${nonce}${nonce}-row`).flatMap((row) => {
    const values = row.replace(/^\n/, '').split(nonce);
    return values.length === FIELDS.length ? [factsOf(values)] : [];
  });
}

function factsOf(values: readonly string[]): PaneFacts {
  const text = (field: Field): string => values[FIELDS.indexOf(field)] ?? '';
  const number = (field: Field): number => Number(text(field)) || 0;
  const is = (field: Field): boolean => !['', '0', 'off'].includes(text(field));
  return {
    server: `${text('pid')}.${text('start_time')}`,
    sessionId: text('session_id'),
    session: text('session_name'),
    attached: number('session_attached'),
    createdAtMs: number('session_created') * 1000,
    marker: text(MARKER),
    endsUnattached: is('destroy-unattached'),
    window: text('window_id'),
    pane: text('pane_id'),
    pid: number('pane_pid'),
    tty: text('pane_tty'),
    columns: number('pane_width'),
    rows: number('pane_height'),
    inMode: is('pane_in_mode'),
    dead: is('pane_dead'),
    sharedInput: is('pane_synchronized') || is('pane_input_off'),
    alternate: is('alternate_on'),
    applicationKeys: is('keypad_cursor_flag'),
    cursor: { x: number('cursor_x'), y: number('cursor_y') },
    historyLines: number('history_size'),
    program: text('pane_current_command'),
    directory: text('pane_current_path'),
    title: text('pane_title'),
  };
}
