// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAnsi } from '../../../console/transcript/ansi.ts';

const text = (output: string) =>
  parseAnsi(output)
    .map((span) => span.text)
    .join('');

describe('terminal output', () => {
  it('becomes styled text', () => {
    expect(parseAnsi('\u001b[1;32mok\u001b[0m then')).toEqual([
      { text: 'ok', className: 'font-semibold ansi-green' },
      { text: ' then', className: '' },
    ]);
  });

  it('keeps a bright colour and frames a background', () => {
    expect(parseAnsi('\u001b[91mhot\u001b[0m')[0]?.className).toBe('ansi-bright-red');
    expect(parseAnsi('\u001b[41mbad\u001b[0m')[0]?.className).toBe('ansi-on');
  });

  it('reads a palette or true colour as plain text', () => {
    expect(parseAnsi('\u001b[38;5;123mx\u001b[0m')).toEqual([{ text: 'x', className: '' }]);
    expect(parseAnsi('\u001b[38;2;1;2;3mx\u001b[0m')).toEqual([{ text: 'x', className: '' }]);
  });

  it('shows of a line that was written over what a terminal would leave', () => {
    expect(text('10%\r50%\r100%\ndone\r\n')).toBe('100%\ndone\n');
  });

  it('drops what moves a cursor or names a window', () => {
    expect(text('\u001b[2J\u001b[Ha\u001b[K\u001b]0;title\u0007b')).toBe('ab');
  });

  it('never lets markup through as anything but text', () => {
    expect(parseAnsi('<img src=x onerror=alert(1)>')).toEqual([
      { text: '<img src=x onerror=alert(1)>', className: '' },
    ]);
    expect(text('\u001b[31m<b>&amp;\u001b[0m')).toBe('<b>&amp;');
  });

  it('leaves no escape byte, and every plain character', () => {
    const plain = fc.string().filter((held) => !held.includes('\u001b') && !held.includes('\r'));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 30, max: 37 }), plain)), (parts) => {
        const output = parts.map(([code, held]) => `\u001b[${code}m${held}\u001b[0m`).join('');
        expect(text(output)).toBe(parts.map(([, held]) => held).join(''));
      }),
    );
  });
});
