import type { Item } from '../feed/items.ts';
import type { Transcript } from '../feed/transcript.ts';
import { describeNote } from './describe-note.ts';

/** A thing of the record, of how many things it is the heading, and below how many it stands. */
export type ItemRow = { kind: 'item'; key: string; item: Item; children: number; depth: number };

type Rows = readonly ItemRow[];
type Recorded = Pick<Transcript, 'items' | 'places'>;

/** A record as its page is arranged, whatever of it is open. */
export type Arranged = Recorded & {
  /** What stands at the left edge. */
  top: Rows;
  /** A subagent's work, by the key of the call that started it. */
  nested: ReadonlyMap<string, Rows>;
  /** Calls that something belongs to and that are not in the record, by the engine's name for them. */
  strays: ReadonlySet<string>;
};

/**
 * Arranges a record: each thing that has a line, below the call that it belongs to. Given how it was
 * arranged `before` it grew, only what is new or different of it is looked at, and every other row
 * stays the one that it was. Pure: what comes out is the same without it.
 */
export function arrangeItems(record: Recorded, before: Arranged | null = null): Arranged {
  return (before && extend(before, record)) ?? arrangeWhole(record);
}

/** Whether it has no line. */
const isHidden = (item: Item): boolean => item.kind === 'note' && describeNote(item.event) === null;

/** The call below which it stands, by its key. Where that is not in the record: none, so that it is shown at all. */
function callOf({ parentToolId }: Item, { places }: Recorded): string | null {
  const key = `tool:${parentToolId}`;
  return parentToolId !== null && places.has(key) ? key : null;
}

function arrangeWhole(record: Recorded): Arranged {
  const below = new Map<string | null, Item[]>();
  const strays = new Set<string>();
  for (const item of record.items) {
    if (isHidden(item)) continue;
    const call = callOf(item, record);
    if (call === null && item.parentToolId !== null) strays.add(item.parentToolId);
    const siblings = below.get(call);
    if (siblings) siblings.push(item);
    else below.set(call, [item]);
  }
  const nested = new Map<string, Rows>();
  const rowsOf = (call: string | null, depth: number): ItemRow[] =>
    (below.get(call) ?? []).map((item) => {
      const { key } = item;
      const children = below.get(key)?.length ?? 0;
      if (children > 0) nested.set(key, rowsOf(key, depth + 1));
      return { kind: 'item', key, item, children, depth };
    });
  return { ...record, top: rowsOf(null, 0), nested, strays };
}

/** Null when it has to be arranged anew: it is no longer a record that only grew. */
function extend(before: Arranged, record: Recorded): Arranged | null {
  const { items } = record;
  const known = before.items.length;
  if (items.length < known) return null;
  const levels = new Levels(before);
  for (let place = 0; place < known; place++) {
    const [was, is] = [before.items[place], items[place]];
    if (!was || !is) return null;
    if (was === is) continue;
    const call = callOf(is, record);
    if (was.key !== is.key || call !== callOf(was, before) || isHidden(was) !== isHidden(is))
      return null;
    if (!isHidden(is) && !levels.replace(call, is.key, (row) => ({ ...row, item: is })))
      return null;
  }
  for (const item of items.slice(known)) {
    // What belongs to it is here already, where it stood without it.
    if (item.kind === 'tool' && before.strays.has(item.toolId)) return null;
    const call = callOf(item, record);
    // What belongs to nothing in the record is rare.
    if (call === null && item.parentToolId !== null) return null;
    if (!isHidden(item) && !levels.add(call, item, record)) return null;
  }
  return { ...record, ...levels.take(), strays: before.strays };
}

/** The rows at each depth, while some are added or replaced: what is changed is copied once. */
class Levels {
  readonly #before: Arranged;
  readonly #nested: Map<string, Rows>;
  readonly #copied = new Map<string | null, ItemRow[]>();

  constructor(before: Arranged) {
    this.#before = before;
    this.#nested = new Map(before.nested);
  }

  #at(call: string | null): ItemRow[] {
    const copy = this.#copied.get(call);
    if (copy) return copy;
    const rows = [...(call === null ? this.#before.top : (this.#nested.get(call) ?? []))];
    this.#copied.set(call, rows);
    if (call !== null) this.#nested.set(call, rows);
    return rows;
  }

  /** Changes a row. What is changed was added lately, so it is looked for from the end. */
  replace(call: string | null, key: string, next: (row: ItemRow) => ItemRow): boolean {
    const rows = this.#at(call);
    const index = rows.findLastIndex((row) => row.key === key);
    const row = rows[index];
    if (row) rows[index] = next(row);
    return row !== undefined;
  }

  /** Adds a row at the end of its level, which the call above it counts. */
  add(call: string | null, item: Item, { items, places }: Recorded): boolean {
    let depth = 0;
    if (call !== null) {
      const heading = items[places.get(call) ?? -1];
      if (!heading) return false;
      const counted = this.replace(callOf(heading, { items, places }), call, (row) => {
        depth = row.depth + 1;
        return { ...row, children: row.children + 1 };
      });
      if (!counted) return false;
    }
    this.#at(call).push({ kind: 'item', key: item.key, item, children: 0, depth });
    return true;
  }

  take(): Pick<Arranged, 'top' | 'nested'> {
    return { top: this.#copied.get(null) ?? this.#before.top, nested: this.#nested };
  }
}
