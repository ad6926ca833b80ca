import type { TurnView } from '../../protocol/session-view.ts';
import { describeNote } from './describe-note.ts';
import type { Row } from './rows.ts';

type Turns = readonly Pick<TurnView, 'turnId' | 'text'>[];

/** Everything that a row can be found by: what it says, was given, and gave back. */
function wordsOf(row: Row, turns: Turns): string {
  if (row.kind === 'live') return row.block.text;
  if (row.kind === 'queued') return row.turn.text ?? '';
  const { item } = row;
  switch (item.kind) {
    case 'text':
      return item.text.text;
    case 'tool': {
      const acts = item.acts.map(({ act }) => `${act.kind} ${act.command}`);
      const files = item.ended?.files.map(({ path }) => path) ?? [];
      const output = item.ended?.output.text ?? '';
      return [item.name, item.summary, item.input.text, output, ...acts, ...files].join('\n');
    }
    case 'turn':
      return turns.find(({ turnId }) => turnId === item.turnId)?.text ?? '';
    case 'turnEnd':
      return '';
    case 'act':
      return `${item.marked.act.kind} ${item.marked.act.command}`;
    case 'approval':
      return `${item.request.toolName} ${item.request.summary}`;
    case 'note': {
      const note = describeNote(item.event);
      return note ? [note.text, ...note.detail].join('\n') : '';
    }
    default:
      return item satisfies never;
  }
}

/** The rows that hold every typed word, in any order and case, by their index. */
export function findRows(rows: readonly Row[], turns: Turns, typed: string): number[] {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  return rows.flatMap((row, index) => {
    const words = wordsOf(row, turns).toLowerCase();
    return wanted.every((word) => words.includes(word)) ? [index] : [];
  });
}

/** The rows in which something was done that leaves the checkout, by their index. */
export function listActRows(rows: readonly Row[]): number[] {
  const acts: number[] = [];
  for (const [index, row] of rows.entries()) {
    if (row.kind !== 'item') continue;
    const { item } = row;
    if (item.kind === 'act' || (item.kind === 'tool' && item.acts.length > 0)) acts.push(index);
  }
  return acts;
}

/** The place after or before another one, on from the other end where there is none; null of none. */
export function nextOf(places: readonly number[], at: number, step: 1 | -1): number | null {
  const next =
    step === 1
      ? (places.find((place) => place > at) ?? places[0])
      : (places.findLast((place) => place < at) ?? places.at(-1));
  return next ?? null;
}
