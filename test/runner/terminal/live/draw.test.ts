import { describe, expect, it } from 'vitest';
import {
  drawPane,
  hasBehind,
  MODE_FORMAT,
  withoutHistory,
} from '../../../../runner/terminal/live/draw.ts';
import { ShownScreen } from '../../../support/shown-screen.ts';

const NAMES = MODE_FORMAT.split(',').map((format) => format.slice(2, -1));
const PLAIN: Record<string, number | string> = {
  pane_width: 20,
  pane_height: 4,
  cursor_flag: 1,
  wrap_flag: 1,
  scroll_region_lower: 3,
};
/** A state as tmux tells it; what it does not know is empty. */
const modes = (over: Record<string, number | string> = {}) =>
  NAMES.map((name) => ({ ...PLAIN, ...over })[name] ?? '0').join(',');

async function shown(captured: Partial<Parameters<typeof drawPane>[0]>): Promise<ShownScreen> {
  const { data, size } = drawPane({
    modes: modes(),
    history: '',
    screen: '',
    behind: '',
    ...captured,
  });
  const screen = new ShownScreen(size, () => undefined);
  screen.begin(data, size);
  await new Promise((resolve) => setTimeout(resolve, 20));
  return screen;
}
const dataOf = (over: Record<string, number | string>) =>
  drawPane({ modes: modes(over), history: '', screen: 'x\n', behind: '' }).data;

describe('a screen that is drawn anew', () => {
  it('stands where it stood, row by row, with what is above it', async () => {
    const screen = await shown({
      modes: modes({ history_size: 2, cursor_x: 3, cursor_y: 1 }),
      history: 'one\ntwo\n',
      screen: 'three\nfour\n\n\n',
    });
    expect(screen.read().split('\n')).toEqual(['three', 'four', '', '']);
    expect(screen.readAll().split('\n')).toEqual(['one', 'two', 'three', 'four', '', '']);
  });

  it('has rows that fill their line in one row each', async () => {
    const full = 'a'.repeat(20);
    const screen = await shown({ screen: `${full}\n${full}\nb\n\n` });
    expect(screen.read().split('\n')).toEqual([full, full, 'b', '']);
  });

  it('goes on at the cursor', async () => {
    const { data, size } = drawPane({
      modes: modes({ cursor_x: 2, cursor_y: 1 }),
      history: '',
      screen: 'top\n$ \n\n\n',
      behind: '',
    });
    const screen = new ShownScreen(size, () => undefined);
    screen.begin(data, size);
    screen.write('typed');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(screen.read().split('\n')[1]).toBe('$ typed');
  });

  it('leaves a full-screen program and finds what was behind it', async () => {
    const state = modes({ alternate_on: 1, alternate_saved_x: 2, alternate_saved_y: 0 });
    expect(hasBehind(state)).toBe(true);
    const { data, size } = drawPane({
      modes: state,
      history: '',
      screen: 'editor\n',
      behind: '$ \n',
    });
    const screen = new ShownScreen(size, () => undefined);
    screen.begin(data, size);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(screen.read()).toContain('editor');
    screen.write('\x1b[?1049lback');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(screen.read().split('\n')[0]).toBe('$ back');
  });

  it('leaves out the lines above where there would be too much of them', () => {
    const state = modes({ history_size: 900 });
    const { data } = drawPane({
      modes: withoutHistory(state),
      history: 'old\n',
      screen: 'new\n',
      behind: '',
    });
    expect(data).not.toContain('old');
    expect(data).toContain('new');
  });
});

describe('the state of a terminal', () => {
  it.each([
    ['cursor_flag', 0, '\x1b[?25l'],
    ['insert_flag', 1, '\x1b[4h'],
    ['wrap_flag', 0, '\x1b[?7l'],
    ['keypad_cursor_flag', 1, '\x1b[?1h'],
    ['keypad_flag', 1, '\x1b='],
    ['mouse_standard_flag', 1, '\x1b[?1000h'],
    ['mouse_button_flag', 1, '\x1b[?1002h'],
    ['mouse_all_flag', 1, '\x1b[?1003h'],
    ['mouse_sgr_flag', 1, '\x1b[?1006h'],
  ])('with %s %s is set by %j, and otherwise not', (name, value, sequence) => {
    expect(dataOf({ [name]: value })).toContain(sequence);
    expect(dataOf({})).not.toContain(sequence);
  });

  it('keeps a region that scrolls by itself, and names none where it is the whole screen', () => {
    expect(dataOf({ scroll_region_upper: 1, scroll_region_lower: 2 })).toContain('\x1b[2;3r');
    expect(dataOf({})).not.toMatch(/\d+;\d+r/);
  });

  it('takes pastes for pastes unless tmux knows better', () => {
    expect(dataOf({ bracket_paste_flag: '' })).toContain('\x1b[?2004h');
    expect(dataOf({ bracket_paste_flag: 1 })).toContain('\x1b[?2004h');
    expect(dataOf({ bracket_paste_flag: 0 })).not.toContain('\x1b[?2004h');
  });
});
