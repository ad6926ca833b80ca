import headless from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { muteAnswers, TitleFilter } from '../../../console/takeover/picture.ts';

const QUERIES =
  '\x1b[c\x1b[>c\x1b[6n\x1b[?6n\x1b[?2004$p\x1b[4$p\x1bP$qm\x1b\\\x1b]10;?\x07\x1b]4;1;?\x07';

async function answersTo(text: string, muted: boolean): Promise<string> {
  const terminal = new headless.Terminal({ allowProposedApi: true });
  if (muted) muteAnswers(terminal);
  let said = '';
  terminal.onData((data) => (said += data));
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  terminal.dispose();
  return said;
}

describe('a picture of a terminal', () => {
  it('answers nothing that programs ask of a terminal', async () => {
    expect((await answersTo(QUERIES, false)).length).toBeGreaterThan(20);
    expect(await answersTo(QUERIES, true)).toBe('');
  });
});

describe('titles as tmux and screen take them', () => {
  const filtered = (text: string, cuts: readonly number[]): string => {
    const filter = new TitleFilter();
    const bytes = new TextEncoder().encode(text);
    const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted(
      (a, b) => a - b,
    );
    const parts = at.slice(1).map((end, index) => filter.feed(bytes.subarray(at[index], end)));
    return new TextDecoder().decode(Uint8Array.from(parts.flatMap((part) => [...part])));
  };

  it('are left out wherever the stream is cut, and nothing else is', () => {
    const parts = ['a', 'é', '漢', '\n', 'k', '\x1b[31m', '\x1b]0;x\x07', '\x1b='];
    const text = fc.array(fc.constantFrom(...parts)).map((chosen) => chosen.join(''));
    fc.assert(
      fc.property(text, text, fc.array(fc.nat()), (before, after, cuts) => {
        const titled = `${before}\x1bkzsh: ~/code\x1b\\${after}`;
        expect(filtered(titled, cuts)).toBe(before + after);
        expect(filtered(before + after, cuts)).toBe(before + after);
      }),
    );
  });

  it.each([
    ['a sequence', '\x1bkunended\x1b[31mred', '\x1b[31mred'],
    ['an escape that begins another', '\x1bkunended\x1b\x1b[Aup', '\x1b\x1b[Aup'],
    ['another title', '\x1bkone\x1bktwo\x1b\\text', 'text'],
    ['a cancel', '\x1bkunended\x18text', 'text'],
    ['a substitute', '\x1bkunended\x1atext', 'text'],
  ])('that are never ended end at %s, wherever it is cut', (_, text, kept) => {
    for (let cut = 0; cut <= text.length; cut++) expect(filtered(text, [cut])).toBe(kept);
  });

  it('do not swallow an escape that comes twice', () => {
    expect(filtered('\x1b\x1b[A\x1bkx\x1b\\y', [1])).toBe('\x1b\x1b[Ay');
  });
});
