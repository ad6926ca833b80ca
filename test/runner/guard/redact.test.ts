import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capText } from '../../../runner/guard/cap.ts';
import { createRedactor } from '../../../runner/guard/redact.ts';

const KEY = 'sk-ant-canary-0123456789"quoted/+and spaced';
const redactor = createRedactor([{ name: 'API_KEY', value: KEY }]);
const gone = '[redacted:API_KEY]';

describe('text', () => {
  test('replaces a secret by its name and leaves the rest', () => {
    expect(redactor.text(`key=${KEY}; next`)).toBe(`key=${gone}; next`);
    expect(redactor.text('nothing to see')).toBe('nothing to see');
  });

  test.each([
    ['in JSON', JSON.stringify({ key: KEY })],
    ['in JSON inside JSON', JSON.stringify({ body: JSON.stringify({ key: KEY }) })],
    ['in an address', `https://x.test/?key=${encodeURIComponent(KEY)}&a=1`],
    ['in a form', new URLSearchParams({ key: KEY }).toString()],
    [
      'with small hexadecimal letters',
      encodeURIComponent(KEY).replaceAll(/%../g, (hex) => hex.toLowerCase()),
    ],
  ])('finds it %s', (_where, text) => {
    const redacted = redactor.text(text);
    expect(redacted).toContain(gone);
    expect(redacted).not.toContain('canary');
  });

  test.each([0, 1, 2, 3, 4, 5])('finds it in base64 behind %i other bytes', (before) => {
    const encoded = Buffer.from(`${'u'.repeat(before)}${KEY}:rest`).toString('base64');
    const redacted = redactor.text(`Authorization: Basic ${encoded}`);
    expect(redacted).toContain(gone);
    expect(Buffer.from(redacted.replaceAll(gone, ''), 'base64').toString()).not.toContain('canary');
    expect(redactor.text(Buffer.from(KEY).toString('base64url'))).toContain(gone);
  });

  test('leaves nothing of either when two secrets overlap', () => {
    const two = createRedactor([
      { name: 'A', value: 'abcdefghij' },
      { name: 'B', value: 'ghijklmnopqr' },
    ]);
    expect(two.text('<abcdefghijklmnopqr>')).toBe('<[redacted:B]>');
  });

  test('takes the longer of two secrets that begin alike', () => {
    const two = createRedactor([
      { name: 'SHORT', value: 'password1' },
      { name: 'LONG', value: 'password123456' },
    ]);
    expect(two.text('password123456 password1')).toBe('[redacted:LONG] [redacted:SHORT]');
  });

  test('finds the lines of a key that is printed with line numbers', () => {
    const pem =
      '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nBAQEFAASCBKcwggSjAgEAAo\n-----END KEY-----\n';
    const keys = createRedactor([{ name: 'PEM', value: pem }]);
    expect(keys.text('1\tMIIEvQIBADANBgkqhkiG9w0\n2\tBAQEFAASCBKcwggSjAgEAAo')).toBe(
      '1\t[redacted:PEM]\n2\t[redacted:PEM]',
    );
    expect(keys.text('-----BEGIN KEY----- is no secret')).toBe('-----BEGIN KEY----- is no secret');
  });

  test('does not leave the first half of a secret that a tool cut', () => {
    expect(redactor.text(`key=${KEY.slice(0, 20)}`)).toBe(`key=${gone}`);
    expect(redactor.text(`key=${KEY.slice(0, 30)} (cut)`)).toBe(`key=${gone} (cut)`);
  });

  test('survives having nothing to look for, and values too short to look for', () => {
    expect(createRedactor([]).text('anything at all')).toBe('anything at all');
    expect(createRedactor([{ name: 'S', value: 'short' }]).text('a short text')).toBe(
      'a short text',
    );
  });

  test('leaves no secret in any text, whatever stands around and between', () => {
    const value = fc
      .string({ unit: 'grapheme', minLength: 8, maxLength: 60 })
      .filter((each) => each.trim().length >= 8);
    const secrets = fc.array(value, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        secrets,
        fc.array(fc.nat(9), { maxLength: 12 }),
        fc.string(),
        (values, order, between) => {
          const text = order
            .map((pick) => (pick > 4 ? between : (values[pick] ?? between)))
            .join('');
          const some = createRedactor(
            values.map((each, index) => ({ name: `S${index}`, value: each })),
          );
          const outside = some.text(text).split(/\[redacted:S\d\]/);
          for (const each of values)
            for (const part of outside) expect(part).not.toContain(each.trim());
        },
      ),
    );
  });
});

describe('patterns', () => {
  const tokens = createRedactor([
    { name: 'TOKEN', value: 'tok_[a-z0-9]{12,16}', pattern: true },
    { name: 'KEY', value: 'tok_live_0123' },
    { name: 'HEX', value: '#[0-9a-f]{12}', pattern: true },
  ]);

  test('are redacted beside values, and overlapping ones as one', () => {
    expect(tokens.text('a tok_a1b2c3d4e5f6 b #0123456789ab.')).toBe(
      'a [redacted:TOKEN] b [redacted:HEX].',
    );
    expect(tokens.text('#0123456789abtok_live_0123')).toBe('[redacted:HEX][redacted:KEY]');
  });

  test('hide the beginning of a match that was cut, where it is one beyond doubt', () => {
    expect(tokens.text('is tok_a1b2c3d4')).toBe('is [redacted:TOKEN]');
    expect(tokens.text('is tok_a1b')).toBe('is tok_a1b');
    expect(tokens.text('commit #0123456789a')).toBe('commit #0123456789a');
  });

  test('hide both halves of a match beside a cut', () => {
    const text = 'is tok_a1\n… 99 bytes left out …\nb2c3d4 so';
    const event = { output: { text, truncated: { bytes: 120, sha256: 'x' } } };
    expect(tokens.event(event).output.text).toBe(
      'is [redacted:TOKEN]\n… 99 bytes left out …\n[redacted:TOKEN] so',
    );
  });
});

describe('event', () => {
  test('redacts every text of an event, however deep, keys too', () => {
    const event = {
      type: 't',
      at: 1,
      none: null,
      deep: [{ argv: ['x', `--key=${KEY}`] }],
      [KEY]: true,
    };
    const redacted = redactor.event(event);
    expect(JSON.stringify(redacted)).not.toContain('canary');
    expect(redacted).toMatchObject({
      type: 't',
      at: 1,
      none: null,
      deep: [{ argv: ['x', `--key=${gone}`] }],
      [gone]: true,
    });
  });

  test('returns an event without secrets as it is, without copying it', () => {
    const event = { type: 't', list: [{ text: 'fine', truncated: null }] };
    expect(redactor.event(event)).toBe(event);
  });

  test('leaves no half of a secret beside a cut, wherever the cut falls', () => {
    fc.assert(
      fc.property(
        fc.nat(80),
        fc.nat(80),
        fc.constantFrom('head' as const, 'headTail' as const),
        (before, after, keep) => {
          const secret = 'Zq7Wx9Kp3Vn5Rt1Ys8Mb';
          const event = {
            output: capText('.'.repeat(before) + secret + '.'.repeat(after + 50), 90, { keep }),
          };
          const shown = createRedactor([{ name: 'KEY', value: secret }]).event(event).output.text;
          // Up to three characters can stand there by chance; four of a secret would be a leak.
          for (let at = 0; at + 4 <= secret.length; at++)
            expect(shown).not.toContain(secret.slice(at, at + 4));
        },
      ),
    );
  });
});
