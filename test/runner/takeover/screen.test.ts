import { describe, expect, it } from 'vitest';
import { SCREEN_MAX_CHARS } from '../../../protocol/terminal-frames.ts';
import { Screen } from '../../../runner/takeover/screen.ts';

const SIZE = { columns: 40, rows: 5 };
async function shown(text: string, size = SIZE): Promise<Screen> {
  const screen = new Screen(size);
  await new Promise<void>((drawn) => screen.write(text, drawn));
  return screen;
}

describe('a screen', () => {
  it('drawn from what it reads is the same screen', async () => {
    const first = await shown('one\r\n\u001b[31mred\u001b[0m\r\n\u001b[2Jafter\u001b[3;7Hthere');
    const second = await shown(first.read());
    expect(second.read()).toBe(first.read());
    expect(first.read()).toContain('there');
  });

  it('holds what scrolled away, and no more than a thousand lines of it', async () => {
    const lines = Array.from({ length: 1_500 }, (_, index) => `line ${index}.`);
    const text = (await shown(lines.join('\r\n'))).read();
    expect(text).toContain('line 1499.');
    expect(text).toContain('line 600.');
    expect(text).not.toContain('line 400.');
  });

  it('leaves its past out where that would be too much to send', async () => {
    const colours = (row: number) =>
      Array.from({ length: 100 }, (_, at) => `\u001b[38;2;${row % 256};${at};9mx`).join('');
    const rows = Array.from({ length: 400 }, (_, row) => colours(row)).join('\r\n');
    const screen = await shown(`first\r\n${rows}\r\nlast`, { columns: 100, rows: 10 });
    const text = screen.read();
    expect(text.length).toBeLessThanOrEqual(SCREEN_MAX_CHARS);
    expect(text).toContain('last');
    expect(text).not.toContain('first');
  });

  it('answers what a program asks of its terminal', async () => {
    const screen = new Screen(SIZE);
    const answers: string[] = [];
    screen.onAnswer((answer) => answers.push(answer));
    await new Promise<void>((drawn) => screen.write('ab\u001b[6n', drawn));
    expect(answers).toEqual(['\u001b[1;3R']);
  });

  it('has the size that it was given last', async () => {
    const screen = await shown('hello');
    screen.resize({ columns: 77, rows: 20 });
    expect(screen.size).toEqual({ columns: 77, rows: 20 });
    expect(screen.read()).toContain('hello');
    screen.dispose();
  });
});
