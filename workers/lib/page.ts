import { PilothouseError } from '../../protocol/errors.ts';

export type Page<T> = { items: T[]; nextCursor: string | null };

/** Between the parts of a cursor: in no id, number or date. */
const SEPARATOR = '~';

/** The sort key that a cursor stands for, or nothing for the first page. Throws `bad_request`. */
export function parseCursor(cursor: string | undefined, parts: number): string[] {
  if (cursor === undefined) return [];
  const values = cursor.split(SEPARATOR);
  if (values.length !== parts || values.some((value) => value === '')) {
    throw new PilothouseError('bad_request', {
      detail: 'cursor: use the nextCursor of the page before',
    });
  }
  return values;
}

/** The number in a cursor's part. Throws `bad_request` when it is none. */
export function numberOf(part: string | undefined): number {
  const value = Number(part);
  if (part === undefined || !Number.isSafeInteger(value)) {
    throw new PilothouseError('bad_request', {
      detail: 'cursor: use the nextCursor of the page before',
    });
  }
  return value;
}

/** Makes a page of `limit` rows from one more than that, so that the end is known without counting. */
export function pageFrom<T>(
  rows: readonly T[],
  limit: number,
  keyOf: (row: T) => readonly (string | number)[],
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    nextCursor: rows.length > limit && last !== undefined ? keyOf(last).join(SEPARATOR) : null,
  };
}
