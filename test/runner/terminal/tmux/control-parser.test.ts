import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ControlParser,
  unescapeOutput,
  type ControlEvent,
} from '../../../../runner/terminal/tmux/control-parser.ts';

/** What tmux does to output of panes: bytes below a space, and the backslash, as octal. */
const escapeOutput = (bytes: Uint8Array): Buffer =>
  Buffer.concat(
    [...bytes].map((byte) =>
      byte < 0x20 || byte === 0x5c
        ? Buffer.from(`\\${byte.toString(8).padStart(3, '0')}`)
        : Buffer.from([byte]),
    ),
  );

const read = (...chunks: (string | Buffer)[]): ControlEvent[] => {
  const parser = new ControlParser();
  return chunks.flatMap((chunk) => parser.feed(Buffer.from(chunk as string)));
};

/** Cuts bytes at any places. */
const cut = (bytes: Buffer, places: readonly number[]): Buffer[] => {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
};

const output = fc
  .record({ pane: fc.nat(99), data: fc.uint8Array({ maxLength: 60 }) })
  .map(({ pane, data }) => ({
    text: Buffer.concat([Buffer.from(`%output %${pane} `), escapeOutput(data), Buffer.from('\n')]),
    event: { kind: 'output', pane: `%${pane}`, data: Buffer.from(data) } as ControlEvent,
  }));
/** Lines of an answer, those that look like the end of one among them. */
const line = fc.oneof(
  fc.constantFrom('%end 1 2 1', '%error 5 6 0', '%output %1 x', '%begin 7 8 1', ''),
  fc.string().map((text) => text.replaceAll('\n', ' ')),
);
const reply = fc
  .record({ number: fc.nat(999), ok: fc.boolean(), own: fc.boolean(), lines: fc.array(line) })
  .map(({ number, ok, own, lines }) => {
    const guard = `1796019671 ${number} ${own ? 1 : 0}`;
    const all = [`%begin ${guard}`, ...lines, `%${ok ? 'end' : 'error'} ${guard}`];
    const event: ControlEvent = {
      kind: 'reply',
      ok,
      own,
      lines: lines.map((text) => Buffer.from(text)),
    };
    return { text: Buffer.from(all.map((each) => `${each}\n`).join('')), event };
  });
const notice = fc.constantFrom<{ text: Buffer; event: ControlEvent }>(
  {
    text: Buffer.from('%window-add @3\n'),
    event: { kind: 'notice', name: 'window-add', rest: '@3' },
  },
  {
    text: Buffer.from('%exit\n'),
    event: { kind: 'notice', name: 'exit', rest: '' },
  },
);

describe('tmux’s control mode', () => {
  it('is read the same, wherever its chunks are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(output, reply, notice), { maxLength: 12 }),
        fc.array(fc.nat(5_000), { maxLength: 20 }),
        (parts, places) => {
          const all = Buffer.concat(parts.map(({ text }) => text));
          expect(read(...cut(all, places))).toEqual(parts.map(({ event }) => event));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gives every byte of output back, characters of several bytes too', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(unescapeOutput(escapeOutput(bytes))).toEqual(Buffer.from(bytes));
      }),
    );
    const text = Buffer.from('grün ✓ 𝄞');
    expect(read(Buffer.from('%output %1 '), text.subarray(0, 3), text.subarray(3), '\n')).toEqual([
      { kind: 'output', pane: '%1', data: text },
    ]);
  });

  it('leaves a backslash that begins no octal number as it is', () => {
    for (const text of ['a\\', '\\9', '\\01', '\\999', '\\777', '\\x41'])
      expect(unescapeOutput(Buffer.from(text)).toString()).toBe(text);
  });

  it('keeps no part of a chunk, whose memory is used again', () => {
    const parser = new ControlParser();
    const first = Buffer.from('%output %1 ab');
    parser.feed(first);
    first.fill(0x7a);
    expect(parser.feed(Buffer.from('c\n'))).toEqual([
      { kind: 'output', pane: '%1', data: Buffer.from('abc') },
    ]);
  });

  it.each([
    ['an end without its beginning', '%begin 1 2 1\nx\n%end 1 2 1\n%end 1 3 1\n'],
    ['words outside of an answer', 'hello\n'],
    ['a line without an end', `%output %1 ${'x'.repeat(9 * 1024 * 1024)}`],
  ])('is not believed after %s', (_what, text) => {
    const parser = new ControlParser();
    const events = parser.feed(Buffer.from(text));
    expect(events.at(-1)).toMatchObject({ kind: 'broken' });
    expect(parser.feed(Buffer.from('%output %1 x\n'))).toEqual([]);
  });
});
