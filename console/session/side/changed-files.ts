import type { FileDiff } from '../../../protocol/engine-event.ts';
import type { Item } from '../../feed/items.ts';

/** A file with all that the session did to it. */
export type ChangedFile = Pick<FileDiff, 'path' | 'change' | 'additions' | 'deletions'> & {
  edits: number;
};

/** Every file that the session's tools changed, with the lines of all its edits added up. */
export function listChangedFiles(items: readonly Item[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const item of items) {
    if (item.kind !== 'tool') continue;
    for (const { path, change, additions, deletions } of item.ended?.files ?? []) {
      const held = files.get(path);
      files.set(path, {
        path,
        // A file that this session made is new however often it is edited afterwards.
        change: held?.change === 'created' && change === 'edited' ? 'created' : change,
        additions: (held?.additions ?? 0) + additions,
        deletions: (held?.deletions ?? 0) + deletions,
        edits: (held?.edits ?? 0) + 1,
      });
    }
  }
  return [...files.values()];
}

/**
 * When the figures of the checkout were taken: at the end of which turn (0 is before the first) and
 * at what time in Unix ms. Null when nothing of it is known yet.
 */
export function findCheckoutTime(items: readonly Item[]): { turn: number; at: number } | null {
  let turn = 0;
  let found: { turn: number; at: number } | null = null;
  for (const item of items) {
    if (item.kind === 'turn') turn++;
    if (item.kind !== 'note') continue;
    const { type } = item.event;
    if (type === 'checkout/prepared' || type === 'checkout/broughtBack')
      found = { turn, at: item.at };
  }
  return found;
}
