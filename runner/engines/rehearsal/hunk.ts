export type Hunk = {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
};

const CONTEXT_LINES = 3;

/** The one hunk that turns `before` into `after`, with the usual lines of context around it. */
export function hunkOf(before: string, after: string): Hunk[] {
  if (before === after) return [];
  const old = before.split('\n');
  const now = after.split('\n');
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old.at(-1 - tail) === now.at(-1 - tail)
  )
    tail += 1;
  const from = Math.max(0, head - CONTEXT_LINES);
  const following = Math.max(0, Math.min(CONTEXT_LINES, tail));
  const leading = old.slice(from, head);
  const trailing = old.slice(old.length - tail, old.length - tail + following);
  const removed = old.slice(head, old.length - tail);
  const added = now.slice(head, now.length - tail);
  return [
    {
      oldStart: from + 1,
      oldLines: leading.length + removed.length + trailing.length,
      newStart: from + 1,
      newLines: leading.length + added.length + trailing.length,
      lines: [
        ...leading.map((line) => ` ${line}`),
        ...removed.map((line) => `-${line}`),
        ...added.map((line) => `+${line}`),
        ...trailing.map((line) => ` ${line}`),
      ],
    },
  ];
}
