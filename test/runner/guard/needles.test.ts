import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { needlesOf } from '../../../runner/guard/needles.ts';

const textsOf = (value: string): string[] =>
  needlesOf([{ name: 'KEY', value }]).map(({ text }) => text);

describe('needlesOf', () => {
  test('looks for a plain value once, and for its three forms in base64', () => {
    expect(textsOf('abcdefgh12345678')).toEqual([
      'abcdefgh12345678',
      'YWJjZGVmZ2gxMjM0NTY3O',
      'FiY2RlZmdoMTIzNDU2Nz',
      'hYmNkZWZnaDEyMzQ1Njc4',
    ]);
  });

  test('finds the value in base64 wherever it stands inside something longer', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 12, maxLength: 40 }),
        fc.string(),
        fc.string(),
        (value, before, after) => {
          fc.pre(value.trim() === value);
          const forms = textsOf(value);
          for (const encoding of ['base64', 'base64url'] as const) {
            const encoded = Buffer.from(before + value + after).toString(encoding);
            expect(forms.some((form) => encoded.includes(form))).toBe(true);
          }
        },
      ),
    );
  });

  test('finds the value in JSON and in addresses', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme' }), (value) => {
        fc.pre(value.trim() === value);
        const forms = textsOf(value);
        for (const encoded of [
          JSON.stringify(value),
          encodeURIComponent(value),
          new URLSearchParams({ v: value }).toString(),
        ]) {
          expect(forms.some((form) => encoded.includes(form))).toBe(true);
        }
      }),
    );
  });

  test('leaves out what is too short to be told from chance', () => {
    expect(textsOf('short')).toEqual([]);
    expect(textsOf('   short   ')).toEqual([]);
    expect(textsOf('line one is long enough\nno\nline two is long enough').includes('no')).toBe(
      false,
    );
  });

  test('gives the name a form that fits between brackets and on a line', () => {
    expect(needlesOf([{ name: 'my]\nname', value: 'abcdefgh' }])[0]?.name).toBe('my__name');
    expect(needlesOf([{ name: '', value: 'abcdefgh' }])[0]?.name).toBe('secret');
  });
});
