import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Columns, writeCell, writeHeader, writeRows, writeTime } from '../../protocol/csv.ts';
import { USAGE_COLUMNS } from '../../protocol/usage-views.ts';

type Row = { name: string; count: number | null; done: boolean };
const COLUMNS: Columns<Row> = [
  ['name', ({ name }) => name],
  ['count', ({ count }) => count],
  ['done', ({ done }) => done],
];

/** A reader of RFC 4180, written a second time: quotes, doubled quotes, line ends in quotes. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (text[at] === '"') at++;
        cell += text[at];
      }
      at++;
    } else while (at < text.length && text[at] !== ',' && text[at] !== '\r') cell += text[at++];
    rows.at(-1)?.push(cell);
    if (text[at] === ',') at++;
    else {
      at += 2;
      if (at < text.length) rows.push([]);
    }
  }
  return rows;
}

describe('a cell of an export', () => {
  it.each([
    ['plain words', 'plain words'],
    ['a, b', '"a, b"'],
    ['she said "no"', '"she said ""no"""'],
    ['two\nlines', '"two\nlines"'],
    ['', ''],
  ])('writes %j so that it is read back', (text, written) => {
    expect(writeCell(text)).toBe(written);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])(
    'lets no spreadsheet compute %j, which an engine may have written',
    (text) => {
      expect(writeCell(text).replaceAll('"', '')).toBe(`'${text}`);
    },
  );

  it('writes what is not known as nothing, and zero as zero', () => {
    expect([writeCell(null), writeCell(0), writeCell(-3), writeCell(false)]).toEqual([
      '',
      '0',
      '-3',
      'false',
    ]);
  });
});

describe('an export', () => {
  it('names its columns, and has a line for each row', () => {
    const text =
      writeHeader(COLUMNS) + writeRows(COLUMNS, [{ name: 'a', count: null, done: true }]);
    expect(text).toBe('name,count,done\r\na,,true\r\n');
  });

  it('is read back as it was, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            name: fc.string({ unit: 'binary' }).filter((text) => !/^[=+\-@\t\r]/.test(text)),
            count: fc.option(fc.nat()),
            done: fc.boolean(),
          }),
          { minLength: 1 },
        ),
        (rows) => {
          expect(readCsv(writeRows(COLUMNS, rows))).toEqual(
            rows.map(({ name, count, done }) => [name, String(count ?? ''), String(done)]),
          );
        },
      ),
    );
  });

  it('tells times in UTC', () => {
    expect(writeTime(1_700_000_000_123)).toBe('2023-11-14T22:13:20.123Z');
  });
});

describe('the usage ledger as a table', () => {
  it('has each name once, and money as the integer that is kept', () => {
    const names = USAGE_COLUMNS.map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('micro_usd');
    expect(names.filter((name) => /usd/i.test(name))).toEqual(['micro_usd']);
  });
});
