import { describe, expect, test } from 'vitest';
import { listCode } from './source-files.ts';

/** The one place of the console where the person’s languages decide how something is written. */
const PLACE = 'console/format/locale.ts';
/** What writes a figure or a time in a form of its own. */
const FORMATS = /\bIntl\.\w|\.toLocale\w*String\(|\.toFixed\(/;

describe('figures and times on the console', () => {
  test('get their form in one place', () => {
    const files = listCode().filter(
      ({ path }) => path.startsWith('console/') && !path.startsWith('console/mock/'),
    );
    // A guard that looks at nothing passes everything.
    expect(files.length).toBeGreaterThan(200);
    expect(files.filter(({ text }) => FORMATS.test(text)).map(({ path }) => path)).toEqual([PLACE]);
  });
});
