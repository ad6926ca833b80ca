import { fitSize, type TerminalSize } from '../../../protocol/takeover.ts';

/** What tmux knows of a pane's terminal beside its text, in the order of {@link MODE_FORMAT}. */
const MODES = [
  'pane_width',
  'pane_height',
  'history_size',
  'alternate_on',
  'alternate_saved_x',
  'alternate_saved_y',
  'cursor_x',
  'cursor_y',
  'cursor_flag',
  'insert_flag',
  'wrap_flag',
  'keypad_cursor_flag',
  'keypad_flag',
  'mouse_standard_flag',
  'mouse_button_flag',
  'mouse_all_flag',
  'mouse_sgr_flag',
  'scroll_region_upper',
  'scroll_region_lower',
  'bracket_paste_flag',
] as const;
type Mode = (typeof MODES)[number];

/** Numbers alone, so that nothing of it can look like the end of an answer. */
export const MODE_FORMAT = MODES.map((mode) => `#{${mode}}`).join(',');

/** A pane's text as tmux captured it, each with its colours. */
export type Captured = {
  modes: string;
  /** Lines above the screen. */
  history: string;
  screen: string;
  /** What a full-screen program stands in front of; empty where there is none. */
  behind: string;
};

/** The screen as text that draws it on an empty terminal of its size. Pure. */
export function drawPane({ modes, history, screen, behind }: Captured): {
  data: string;
  size: TerminalSize;
} {
  const text = (mode: Mode): string => valueOf(modes, mode);
  const number = (mode: Mode): number => Number(text(mode)) || 0;
  const is = (mode: Mode): boolean => text(mode) === '1';
  const size = fitSize({ columns: number('pane_width'), rows: number('pane_height') });
  const at = (x: number, y: number): string => `\x1b[${y + 1};${x + 1}H`;
  const above = number('history_size') > 0 ? `${lines(history)}\r\n` : '';
  const body = hasBehind(modes)
    ? `${above}${lines(behind)}${at(number('alternate_saved_x'), number('alternate_saved_y'))}\x1b[?1049h\x1b[H${lines(screen)}`
    : `${above}${lines(screen)}`;
  const [top, bottom] = [number('scroll_region_upper'), number('scroll_region_lower')];
  const partly = top > 0 || bottom < size.rows - 1;
  const set = (on: boolean, sequence: string): string => (on ? sequence : '');
  return {
    size,
    data: [
      body,
      set(partly && bottom > top, `\x1b[${top + 1};${bottom + 1}r`),
      at(number('cursor_x'), number('cursor_y')),
      set(text('cursor_flag') === '0', '\x1b[?25l'),
      set(is('insert_flag'), '\x1b[4h'),
      set(text('wrap_flag') === '0', '\x1b[?7l'),
      set(is('keypad_cursor_flag'), '\x1b[?1h'),
      set(is('keypad_flag'), '\x1b='),
      set(is('mouse_standard_flag'), '\x1b[?1000h'),
      set(is('mouse_button_flag'), '\x1b[?1002h'),
      set(is('mouse_all_flag'), '\x1b[?1003h'),
      set(is('mouse_sgr_flag'), '\x1b[?1006h'),
      // Most tmux cannot tell it. Pasted lines that run one by one are the worse mistake.
      set(text('bracket_paste_flag') !== '0', '\x1b[?2004h'),
    ].join(''),
  };
}

/** Whether a full-screen program stands before something else. Pure. */
export const hasBehind = (modes: string): boolean => valueOf(modes, 'alternate_on') === '1';

/** The same state of a pane without the lines above its screen. Pure. */
export const withoutHistory = (modes: string): string =>
  MODES.map((mode) => (mode === 'history_size' ? '0' : valueOf(modes, mode))).join(',');

const valueOf = (modes: string, mode: Mode): string =>
  modes.trim().split(',')[MODES.indexOf(mode)] ?? '';

/** Captured lines for a terminal, which goes to a line's beginning only when it is told to. */
const lines = (captured: string): string =>
  `${captured.replace(/\n$/, '').replaceAll('\n', '\r\n')}\x1b[0m`;
