import { describe, expect, test } from 'vitest';
import { listCode } from './source-files.ts';

/** The one place of the console where the person’s languages decide how something is written. */
const PLACE = 'console/format/locale.ts';
/** What writes a figure or a time in a form of its own. */
const FORMATS = /\bIntl\.\w|\.toLocale\w*String\(|\.toFixed\(/;
/** Sentences of the protocol with figures or times in them, which the console makes for a person. */
const SENTENCES =
  /\b(?:sayAmount|sayDollars|sayMark|sayRenewal|sayBudget|sayForecast|describeReread|describeBegunAnew|describeUnmetered|describeSelfReported|describeDriveCost|formatWith|pluralWith)\(/g;

const listConsole = () =>
  listCode().filter(({ path }) => path.startsWith('console/') && !path.startsWith('console/mock/'));

/** What stands between the bracket at `from` and the one that closes it. */
function argumentsAt(text: string, from: number): string {
  let depth = 1;
  let end = from;
  for (; depth > 0 && end < text.length; end += 1)
    depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0;
  return text.slice(from, end - 1);
}

describe('figures and times on the console', () => {
  test('get their form in one place', () => {
    const files = listConsole();
    // A guard that looks at nothing passes everything.
    expect(files.length).toBeGreaterThan(200);
    expect(files.filter(({ text }) => FORMATS.test(text)).map(({ path }) => path)).toEqual([PLACE]);
  });

  test('have the person’s form in the sentences of the protocol, too', () => {
    const made = listConsole().flatMap(({ path, text }) =>
      [...text.matchAll(SENTENCES)].map((match) => ({
        call: `${path}: ${match[0]}`,
        given: argumentsAt(text, match.index + match[0].length),
      })),
    );
    expect(made.length).toBeGreaterThan(12);
    expect(made.filter(({ given }) => !given.includes('OWN_FORM'))).toEqual([]);
  });

  test('are given no form by the protocol but the plain one', () => {
    const files = listCode().filter(({ path }) => path.startsWith('protocol/'));
    expect(files.length).toBeGreaterThan(100);
    // Bytes are given theirs by who asks; the others read a zone, and write nothing.
    expect(
      files
        .filter(({ text }) => FORMATS.test(text))
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual([
      'protocol/bytes.ts',
      'protocol/figure-form.ts',
      'protocol/push.ts',
      'protocol/shared-budget.ts',
    ]);
  });
});
