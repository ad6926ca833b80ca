import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Columns } from '../../../protocol/csv.ts';
import { exportHeaders, streamExport } from '../../../workers/lib/export.ts';
import type { Page } from '../../../workers/lib/page.ts';

type Row = { name: string; bytes: number | null };
const COLUMNS: Columns<Row> = [
  ['name', (row) => row.name],
  ['bytes', (row) => row.bytes],
];

/** Reads these pages one after the other, and writes down with which cursor each was asked for. */
function ledger(pages: readonly Row[][]) {
  const asked: (string | undefined)[] = [];
  const read = async (cursor: string | undefined): Promise<Page<Row>> => {
    asked.push(cursor);
    const index = Number(cursor ?? 0);
    const nextCursor = index + 1 < pages.length ? String(index + 1) : null;
    return { items: pages[index] ?? [], nextCursor };
  };
  return { asked, read };
}
const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

const row = fc.record({
  name: fc.string({ maxLength: 12 }),
  bytes: fc.option(fc.nat(), { nil: null }),
});
const pages = fc.array(fc.array(row, { maxLength: 4 }), { minLength: 1, maxLength: 5 });

describe('a ledger as a file', () => {
  it('of JSON reads back as its rows, however they fall into pages', async () => {
    await fc.assert(
      fc.asyncProperty(pages, async (held) => {
        const file = await textOf(streamExport('json', COLUMNS, ledger(held).read));
        expect(JSON.parse(file)).toEqual(held.flat());
      }),
      { numRuns: 60 },
    );
  });

  it('of CSV has its names once and then a line for each row', async () => {
    const { asked, read } = ledger([
      [{ name: 'a,b', bytes: 1 }],
      [],
      [
        { name: '=SUM(A1)', bytes: null },
        { name: 'c', bytes: 0 },
      ],
    ]);
    expect(await textOf(streamExport('csv', COLUMNS, read))).toBe(
      'name,bytes\r\n"a,b",1\r\n\'=SUM(A1),\r\nc,0\r\n',
    );
    expect(asked).toEqual([undefined, '1', '2']);
  });

  it.each([
    ['csv', 'name,bytes\r\n'],
    ['json', '[\n\n]\n'],
  ] as const)('without a row is a whole %s file all the same', async (format, text) => {
    expect(await textOf(streamExport(format, COLUMNS, ledger([[]]).read))).toBe(text);
  });

  it('is read no further than somebody takes it', async () => {
    const { asked, read } = ledger(
      Array.from({ length: 50 }, (_, at) => [{ name: `${at}`, bytes: at }]),
    );
    const reader = streamExport('csv', COLUMNS, read).getReader();
    await reader.read();
    await reader.read();
    await reader.cancel();
    expect(asked.length).toBeLessThanOrEqual(3);
  });

  it('breaks off where a page cannot be read, and never looks whole', async () => {
    const broken = async (cursor: string | undefined): Promise<Page<Row>> => {
      if (cursor !== undefined) throw new Error('the disk is gone');
      return { items: [{ name: 'a', bytes: 1 }], nextCursor: '1' };
    };
    const reader = streamExport('json', COLUMNS, broken).getReader();
    const first = new TextDecoder().decode((await reader.read()).value);
    expect(first).toBe('[\n{"name":"a","bytes":1}');
    await expect(reader.read()).rejects.toThrow('the disk is gone');
  });

  it.each([
    ['csv', 'text/csv; charset=utf-8'],
    ['json', 'application/json'],
  ] as const)('is saved by a browser as %s under its name', (format, type) => {
    expect(exportHeaders('pilothouse-acts', format)).toEqual({
      'content-type': type,
      'content-disposition': `attachment; filename="pilothouse-acts.${format}"`,
    });
  });
});
