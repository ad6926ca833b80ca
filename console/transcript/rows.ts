import type { Item, ToolItem } from '../feed/items.ts';
import type { LiveBlock, LiveText } from '../feed/live-text.ts';
import type { TurnView } from '../../protocol/session-view.ts';
import { describeNote } from './describe-note.ts';

/** One line of the page. Its key outlives what it shows: live text becomes its block in place. */
export type Row =
  | { kind: 'item'; key: string; item: Item; depth: number; children: number }
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

/**
 * The lines of the page, in order: items of the record, a subagent's work below the call that
 * started it while that is open, text on its way, and at the end what waits for its turn.
 */
export function listRows(
  items: readonly Item[],
  live: LiveText,
  turns: readonly TurnView[],
  chosen: ReadonlyMap<string, boolean>,
): Row[] {
  const nested = new Map<string, Item[]>();
  const known = new Set(items.flatMap((item) => (item.kind === 'tool' ? item.toolId : [])));
  const top: Item[] = [];
  for (const item of items) {
    const parent = item.parentToolId;
    // Work whose call is not in the record is shown where it stands, rather than not at all.
    if (parent === null || !known.has(parent)) top.push(item);
    else {
      const siblings = nested.get(parent);
      if (siblings) siblings.push(item);
      else nested.set(parent, [item]);
    }
  }
  const liveOf = (parent: string | null) =>
    [...live.values()].filter((block) => block.parentToolId === parent);
  const rows: Row[] = [];
  const add = (item: Item, depth: number) => {
    if (item.kind === 'note' && describeNote(item.event) === null) return;
    const children = item.kind === 'tool' ? (nested.get(item.toolId) ?? []) : [];
    rows.push({ kind: 'item', key: item.key, item, depth, children: children.length });
    if (item.kind !== 'tool' || !isOpen(item, chosen)) return;
    for (const child of children) add(child, depth + 1);
    for (const block of liveOf(item.toolId)) rows.push(liveRow(block, depth + 1));
  };
  for (const item of top) add(item, 0);
  for (const block of liveOf(null)) rows.push(liveRow(block, 0));
  const placed = new Set(items.flatMap((item) => (item.kind === 'turn' ? item.turnId : [])));
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
