import { type Columns, writeHeader, writeRows } from '../../protocol/csv.ts';
import type { ExportFormat } from '../../protocol/usage-views.ts';
import type { Page } from './page.ts';

/** Reads one page of what is exported; undefined is the first. */
type ReadPage<Row> = (cursor: string | undefined) => Promise<Page<Row>>;

/**
 * A whole ledger as a file, read page by page as it is fetched, so that its size costs no memory.
 * A page that cannot be read breaks the transfer off: half a file never looks like a whole one.
 */
export function streamExport<Row>(
  format: ExportFormat,
  columns: Columns<Row>,
  readPage: ReadPage<Row>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let cursor: string | undefined;
  let begun = false;
  // A page may be empty and have one after it: only a row before needs a comma behind it.
  let written = false;
  const write = (rows: readonly Row[]): string =>
    format === 'csv'
      ? writeRows(columns, rows)
      : rows
          .map((row, index) => `${written || index > 0 ? ',\n' : ''}${JSON.stringify(row)}`)
          .join('');
  return new ReadableStream({
    async pull(controller) {
      const { items, nextCursor } = await readPage(cursor);
      const opening = begun ? '' : format === 'csv' ? writeHeader(columns) : '[\n';
      const rows = write(items);
      begun = true;
      written ||= items.length > 0;
      cursor = nextCursor ?? undefined;
      const closing = nextCursor === null && format === 'json' ? '\n]\n' : '';
      controller.enqueue(encoder.encode(opening + rows + closing));
      if (nextCursor === null) controller.close();
    },
  });
}

/** What a browser saves such a file as. */
export const exportHeaders = (name: string, format: ExportFormat) => ({
  'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json',
  'content-disposition': `attachment; filename="${name}.${format}"`,
});
