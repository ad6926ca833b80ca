/** What one cell of an export may hold. Null is an empty cell: not known, and not zero. */
export type Cell = string | number | boolean | null;

/** The columns of an export: each name with what it says of a row. */
export type Columns<Row> = readonly (readonly [string, (row: Row) => Cell])[];

/** A spreadsheet reads a text that begins so as a formula, whoever wrote it. */
const FORMULA = /^[=+\-@\t\r]/;

/** One cell as RFC 4180 writes it, and as no spreadsheet computes it. */
export function writeCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const writeLine = (cells: readonly Cell[]): string => `${cells.map(writeCell).join(',')}\r\n`;

/** The first line of an export: the names of its columns. */
export const writeHeader = <Row>(columns: Columns<Row>): string =>
  writeLine(columns.map(([name]) => name));

/** A line for each row. */
export const writeRows = <Row>(columns: Columns<Row>, rows: readonly Row[]): string =>
  rows.map((row) => writeLine(columns.map(([, read]) => read(row)))).join('');

/** A time as every program reads it: UTC, to the millisecond. */
export const writeTime = (atMs: number): string => new Date(atMs).toISOString();
