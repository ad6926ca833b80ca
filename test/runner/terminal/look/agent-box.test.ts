import { describe, expect, it } from 'vitest';
import {
  decideBox,
  holdsOnly,
  isOfPaste,
  meansMore,
  readBox,
} from '../../../../runner/terminal/look/agent-box.ts';

const box = (...rows: string[]) => readBox(['● an answer', '────', ...rows]);

describe('the box of a coding agent', () => {
  it.each([
    ['empty', box('❯ '), 'empty'],
    ['with a no-break space', box('❯\u00a0'), 'empty'],
    ['with a draft', box('❯ a draft'), 'typed'],
    ['in the mode of a shell', box('! ls'), 'unclear'],
    ['that is a menu', box('❯ 1. Yes'), 'typed'],
    ['below which something else stands', box('❯ ', 'a menu'), 'unclear'],
    ['that is not there', box('$ '), 'unclear'],
  ])('%s', (_what, found, verdict) => {
    expect(decideBox(found)).toBe(verdict);
  });

  it('holds a text however it folds it, and several lines as the mark of a paste', () => {
    expect(holdsOnly(box('❯ many words', '  and more'), 'many words and more')).toBe(true);
    expect(holdsOnly(box('❯ many words', '  and more'), 'many words')).toBe(false);
    expect(holdsOnly(box('❯ [Pasted text #12 +3 lines]'), 'one\ntwo\nthree\nfour')).toBe(true);
    expect(holdsOnly(box('❯ mine [Pasted text #1 +3 lines]'), 'one\ntwo')).toBe(false);
    expect(holdsOnly(box('❯ [Pasted text #1 +3 lines]'), 'one line')).toBe(false);
  });

  it('holds one long line as the mark of a paste', () => {
    const mark = box('❯ [Pasted text #1]');
    expect(holdsOnly(mark, 'x'.repeat(801))).toBe(true);
    expect(holdsOnly(mark, `${'\t'.repeat(200)}x`)).toBe(true);
    expect(holdsOnly(mark, 'x'.repeat(800))).toBe(false);
    expect(holdsOnly(box('❯ [Pasted text #1] mine'), 'x'.repeat(801))).toBe(false);
  });

  it('is known to hold nothing beside a paste, whole or in part', () => {
    for (const found of [box('❯ '), box('❯ many'), box('❯ many words'), box('❯ [Pasted text #1]')])
      expect(isOfPaste(found, 'many words')).toBe(true);
    for (const found of [null, box('❯ mine'), box('❯ many words mine'), box('❯ 1. Yes')])
      expect(isOfPaste(found, 'many words')).toBe(false);
  });

  it('takes for something else than words what begins so', () => {
    for (const text of ['!ls', '  /exit', '#note', '@file', '& x'])
      expect(meansMore(text)).toBe(true);
    expect(meansMore('please run ! and /exit')).toBe(false);
  });
});
