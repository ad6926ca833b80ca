import type { ToolItem } from '../feed/items.ts';
import type { LiveBlock, LiveText } from '../feed/live-text.ts';
import type { TurnView } from '../../protocol/session-view.ts';
import type { Transcript } from '../feed/transcript.ts';
import type { Arranged, ItemRow } from './arrange.ts';

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

type Choices = ReadonlyMap<string, boolean>;

/**
 * Gives of what a person opened and closed the part that decides which lines there are, and the same
 * map as long as that is the same. Most calls have nothing below them: to open one is not among it.
 */
export function keepFolds(): (arranged: Arranged, chosen: Choices) => Choices {
  let kept: Choices = new Map();
  return ({ nested }, chosen) => {
    const folds = new Map([...chosen].filter(([key]) => nested.has(key)));
    const same =
      folds.size === kept.size && [...folds].every(([key, open]) => kept.get(key) === open);
    if (!same) kept = folds;
    return kept;
  };
}

/** The lines of a record, in order: a subagent's work is below the call that started it while that is open. */
export function listRows({ top, nested }: Arranged, folds: Choices): readonly ItemRow[] {
  if (nested.size === 0) return top;
  const rows: ItemRow[] = [];
  const addAll = (level: readonly ItemRow[]) => {
    for (const row of level) {
      rows.push(row);
      const { item } = row;
      if (row.children > 0 && item.kind === 'tool' && isOpen(item, folds))
        addAll(nested.get(row.key) ?? []);
    }
  };
  addAll(top);
  return rows;
}

/**
 * The lines of the page: those of the record, text on its way at the end of what it belongs to, and
 * at the end of all what waits for its turn.
 */
export function addComing(
  rows: readonly ItemRow[],
  live: LiveText,
  turns: readonly TurnView[],
  { places }: Pick<Transcript, 'places'>,
  chosen: Choices,
): readonly Row[] {
  const waiting = turns.filter(
    ({ state, turnId }) => state === 'accepted' && !places.has(`turn:${turnId}`),
  );
  if (live.size + waiting.length === 0) return rows;
  const all: Row[] = [...rows];
  for (const block of live.values()) {
    const end = endOf(block.parentToolId, all, chosen);
    if (end) all.splice(end.index, 0, liveRow(block, end.depth));
  }
  for (const turn of waiting) all.push({ kind: 'queued', key: `queued:${turn.turnId}`, turn });
  return all;
}

/** Behind which lines the next one that belongs to a call stands; null where the call is not open. */
function endOf(
  toolId: string | null,
  rows: readonly Row[],
  chosen: Choices,
): { index: number; depth: number } | null {
  if (toolId === null) return { index: rows.length, depth: 0 };
  const call = rows.findLastIndex(({ key }) => key === `tool:${toolId}`);
  const row = rows[call];
  if (row?.kind !== 'item' || row.item.kind !== 'tool' || !isOpen(row.item, chosen)) return null;
  const isBelow = (other: Row) => other.kind !== 'queued' && other.depth > row.depth;
  let index = call + 1;
  for (let next = rows[index]; next && isBelow(next); next = rows[index]) index++;
  return { index, depth: row.depth + 1 };
}

function liveRow(block: LiveBlock, depth: number): Row {
  return { kind: 'live', key: `text:${block.blockId}`, block, depth };
}
