import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OPEN_BLOCKS_MAX } from '../../../protocol/text.ts';
import { createRedactor, type Redactor } from '../../../runner/guard/redact.ts';
import { createDeltaRedactor } from '../../../runner/guard/redact-deltas.ts';

const LONG = 'sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789';
const SECRETS = [
  { name: 'LONG', value: LONG },
  { name: 'SHORT', value: 'hunter2hunter2' },
  { name: 'NEXT', value: 'hunter2-and-more' },
];

const delta = (offset: number, text: string, blockId = 'b1') =>
  ({ turnId: null, blockId, parentToolId: null, kind: 'answer', offset, text }) as const;

/** What a viewer has after all deltas, who puts each where its offset says. */
function shownOf(redactor: Redactor, chunks: readonly string[]): string {
  const stream = createDeltaRedactor(redactor);
  let shown = '';
  let offset = 0;
  for (const chunk of chunks) {
    const out = stream.push(delta(offset, chunk));
    offset += chunk.length;
    if (!out) continue;
    expect(out.offset).toBe(shown.length);
    shown += out.text;
  }
  return shown + (stream.flush('b1')?.text ?? '');
}

function cutAt(text: string, places: readonly number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted(
    (a, b) => a - b,
  );
  return [0, ...sorted].map((from, index) => text.slice(from, sorted[index] ?? text.length));
}

describe('createDeltaRedactor', () => {
  const redactor = createRedactor(SECRETS);

  test('shows ordinary text at once', () => {
    expect(createDeltaRedactor(redactor).push(delta(0, 'Hello '))?.text).toBe('Hello ');
  });

  test('holds back what may become a secret, and shows it when it does not', () => {
    const stream = createDeltaRedactor(redactor);
    expect(stream.push(delta(0, 'say hunter2'))?.text).toBe('say ');
    expect(stream.push(delta(11, ' again'))).toMatchObject({ offset: 4, text: 'hunter2 again' });
  });

  test('replaces a secret that came in single characters', () => {
    expect(shownOf(redactor, `key ${LONG} end`.split(''))).toBe('key [redacted:LONG] end');
  });

  test('keeps the blocks apart', () => {
    const stream = createDeltaRedactor(redactor);
    stream.push(delta(0, 'hunter2', 'b1'));
    expect(stream.push(delta(0, 'hunter2', 'b2'))).toBeNull();
    expect(stream.flush('b1')?.text).toBe('hunter2');
  });

  test('begins anew where a block begins anew or lost a part', () => {
    const stream = createDeltaRedactor(redactor);
    stream.push(delta(0, 'abc hunter2'));
    expect(stream.push(delta(0, 'xyz '))).toMatchObject({ offset: 0, text: 'xyz ' });
    expect(stream.push(delta(50, 'later '))).toMatchObject({ offset: 50, text: 'later ' });
  });

  test('has nothing to flush of a block that it does not know', () => {
    expect(createDeltaRedactor(redactor).flush('b9')).toBeNull();
  });

  test('shows the same as redacting the whole text, however it is cut into deltas', () => {
    const piece = fc.oneof(
      fc.constantFrom(...SECRETS.map(({ value }) => value)),
      fc.constantFrom(
        'hunter2',
        'hunter2hunter',
        LONG.slice(0, 30),
        LONG.slice(0, 10),
        ' ',
        'h',
        'sk-',
        '\n',
      ),
      fc.string({ maxLength: 5 }),
      fc.constant(Buffer.from(LONG).toString('base64')),
    );
    const text = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(500), { maxLength: 40 }), (whole, places) => {
        const shown = shownOf(redactor, cutAt(whole, places));
        expect(shown).toBe(redactor.text(whole));
        for (const { value } of SECRETS) expect(shown).not.toContain(value);
      }),
      { numRuns: 500 },
    );
  });

  const patterns = createRedactor([
    ...SECRETS,
    { name: 'TOKEN', value: 'tok_[a-z0-9]{12,16}', pattern: true },
    { name: 'QUOTED', value: 'pass="[^"]{3,20}"', pattern: true },
  ]);
  const token = 'tok_a1b2c3d4e5f6g7';

  test('shows with patterns what it shows of the whole text, and holds back no more than it says', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        token,
        token.slice(0, 9),
        'tok_',
        'pass="',
        'pass="hunter2hunter2"',
        '"',
        ' ',
        LONG,
      ),
      fc.constantFrom(...['base64', 'hex'].map((way) => Buffer.from(token).toString(way as 'hex'))),
      fc.string({ maxLength: 4 }),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    // The longest form of all is LONG escaped, encoded or in base64; of the patterns 3 * 27 + 2.
    const longest = Math.max(83, Math.ceil((LONG.length * 4) / 3));
    fc.assert(
      fc.property(text, fc.array(fc.nat(500), { maxLength: 40 }), (whole, places) => {
        let kept = { text: '', shown: 0 };
        let shown = '';
        for (const chunk of cutAt(whole, places)) {
          const step = patterns.partial({ ...kept, text: kept.text + chunk });
          shown += step.redacted;
          kept = step.kept;
          expect(kept.text.length - kept.shown).toBeLessThanOrEqual(2 * longest);
        }
        expect(shown + patterns.rest(kept)).toBe(patterns.text(whole));
        expect(shown).not.toContain(token);
      }),
      { numRuns: 500 },
    );
  });

  test('shows secrets that overlap without end as one, and holds back no more of them', () => {
    const stripes = createRedactor([{ name: 'S', value: 'abababab' }]);
    let kept = { text: '', shown: 0 };
    let shown = '';
    for (let index = 0; index < 500; index++) {
      const step = stripes.partial({ ...kept, text: `${kept.text}${index === 0 ? 'x' : ''}ab` });
      shown += step.redacted;
      kept = step.kept;
      expect(kept.text.length).toBeLessThan(3 * 24);
    }
    expect(shown + stripes.rest({ ...kept, text: `${kept.text} y` })).toBe('x[redacted:S] y');
  });

  test('never shows a secret even if the viewer looks between the deltas', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(60), { minLength: 1, maxLength: 10 }), (places) => {
        const stream = createDeltaRedactor(redactor);
        let shown = '';
        let offset = 0;
        for (const chunk of cutAt(`a ${LONG} z`, places)) {
          shown += stream.push(delta(offset, chunk))?.text ?? '';
          offset += chunk.length;
          expect(shown).not.toContain('sk-a');
        }
      }),
    );
  });
});

describe('a hundred thousand deltas', () => {
  const redactor = createRedactor(SECRETS);
  const longest = Math.max(...SECRETS.map(({ value }) => value.length * 2));

  test('of one message leave no more behind than may yet be a secret (P3)', () => {
    const stream = createDeltaRedactor(redactor);
    let shown = 0;
    for (let index = 0; index < 100_000; index++)
      shown += stream.push(delta(index * 4, index % 2 ? 'word' : 'sk-a'))?.text.length ?? 0;
    const rest = stream.flush('b1')?.text.length ?? 0;
    expect(rest).toBeLessThan(2 * longest);
    expect(shown + rest).toBe(400_000);
  });

  test('of messages that nobody completes leave nothing of the older ones, and nothing after the turn', () => {
    const stream = createDeltaRedactor(redactor);
    const heldOf = () =>
      Array.from({ length: 1_000 }, (_, block) => stream.flush(`b${block}`)).filter(Boolean);
    const write = () => {
      for (let index = 0; index < 100_000; index++)
        // The last of each may be the beginning of a secret.
        stream.push(
          delta(
            (index % 100) * 4,
            index % 100 === 99 ? 'sk-a' : 'word',
            `b${Math.floor(index / 100)}`,
          ),
        );
    };
    write();
    expect(heldOf()).toHaveLength(OPEN_BLOCKS_MAX);
    write();
    stream.end();
    expect(heldOf()).toEqual([]);
  });
});
