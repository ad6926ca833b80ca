import type { Item, ToolItem } from '../feed/items.ts';
import type { LiveBlock, LiveText } from '../feed/live-text.ts';
import type { TurnView } from '../../protocol/session-view.ts';
import { describeNote } from './describe-note.ts';

/** A thing of the record, of how many things it is the heading, and below how many it stands. */
type ItemRow = { kind: 'item'; key: string; item: Item; children: number; depth: number };

/** One line of the page. Its key outlives what it shows: live text becomes its block in place. */
export type Row =
  | ItemRow
  | { kind: 'live'; key: string; block: LiveBlock; depth: number }
  | { kind: 'queued'; key: string; turn: TurnView };

/** Files up to this many changed lines in all are shown without being asked for. */
const OPEN_DIFF_LINES = 60;

/** Whether a tool call shows its contents: as the person chose, else when it is a small change. */
export function isOpen(item: ToolItem, chosen: ReadonlyMap<string, boolean>): boolean {
  const choice = chosen.get(item.key);
  if (choice !== undefined) return choice;
  const files = item.ended?.files ?? [];
  const lines = files.reduce((sum, file) => sum + file.additions + file.deletions, 0);
  return files.length > 0 && lines <= OPEN_DIFF_LINES;
}

/** A record as its page is arranged, whatever of it is open: made anew only when the record grows. */
export type Arranged = {
  /** What stands at the left edge. */
  top: readonly ItemRow[];
  /** A subagent's work, by the call that started it. */
  nested: ReadonlyMap<string, readonly ItemRow[]>;
  /** Turns that have a place in the record. */
  placed: ReadonlySet<string>;
};

/** Arranges a record: each thing that has a line, below the call that it belongs to. */
export function arrangeItems(items: readonly Item[]): Arranged {
  const calls = new Set(items.flatMap((item) => (item.kind === 'tool' ? item.toolId : [])));
  // Work whose call is not in the record is shown where it stands, rather than not at all.
  const parentOf = ({ parentToolId }: Item) =>
    parentToolId !== null && calls.has(parentToolId) ? parentToolId : null;
  const below = new Map<string | null, Item[]>();
  for (const item of items) {
    if (item.kind === 'note' && describeNote(item.event) === null) continue;
    const siblings = below.get(parentOf(item));
    if (siblings) siblings.push(item);
    else below.set(parentOf(item), [item]);
  }
  const nested = new Map<string, readonly ItemRow[]>();
  const rowsOf = (parent: string | null, depth: number): ItemRow[] =>
    (below.get(parent) ?? []).map((item) => {
      const children = item.kind === 'tool' ? (below.get(item.toolId)?.length ?? 0) : 0;
      if (item.kind === 'tool' && children > 0)
        nested.set(item.toolId, rowsOf(item.toolId, depth + 1));
      return { kind: 'item', key: item.key, item, children, depth };
    });
  return {
    top: rowsOf(null, 0),
    nested,
    placed: new Set(items.flatMap((item) => (item.kind === 'turn' ? item.turnId : []))),
  };
}

/**
 * The lines of the page, in order: items of the record, a subagent's work below the call that
 * started it while that is open, text on its way, and at the end what waits for its turn.
 */
export function listRows(
  { top, nested, placed }: Arranged,
  live: LiveText,
  turns: readonly TurnView[],
  chosen: ReadonlyMap<string, boolean>,
): Row[] {
  const blocks = [...live.values()];
  const speaking = new Set(blocks.map(({ parentToolId }) => parentToolId));
  const rows: Row[] = [];
  const addAll = (level: readonly ItemRow[], parent: string | null, depth: number) => {
    for (const row of level) {
      rows.push(row);
      const { item } = row;
      if (item.kind !== 'tool' || !(row.children > 0 || speaking.has(item.toolId))) continue;
      if (!isOpen(item, chosen)) continue;
      addAll(nested.get(item.toolId) ?? [], item.toolId, depth + 1);
    }
    for (const block of blocks) if (block.parentToolId === parent) rows.push(liveRow(block, depth));
  };
  addAll(top, null, 0);
  for (const turn of turns) {
    if (turn.state === 'accepted' && !placed.has(turn.turnId)) {
      rows.push({ kind: 'queued', key: `queued:${turn.turnId}`, turn });
    }
  }
  return rows;
}

function liveRow(block: LiveBlock, depth: number): Row {
  return { kind: 'live', key: `text:${block.blockId}`, block, depth };
}
