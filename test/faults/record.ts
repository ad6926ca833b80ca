import type { FeedEntry, FeedEvent } from '../../protocol/engine-event.ts';

/** What may be in a session's record once only, as a key; null is for what may come again. */
function keyOf(event: FeedEvent): string | null {
  switch (event.type) {
    case 'turn/accepted':
    case 'turn/started':
    case 'turn/ended':
    case 'usage/recorded':
      return `${event.type} ${event.turnId}`;
    case 'turn/delivered':
      return `${event.type} ${event.turnId} ${event.delivery}`;
    case 'text/completed':
      return `${event.type} ${event.blockId}`;
    case 'tool/started':
    case 'tool/ended':
      return `${event.type} ${event.toolId}`;
    case 'act/seen':
      return `${event.type} ${event.act.actId}`;
    case 'act/ended':
      return `${event.type} ${event.actId}`;
    case 'approval/requested':
      return `${event.type} ${event.request.requestId}`;
    case 'approval/resolved':
      return `${event.type} ${event.requestId}`;
    default:
      return null;
  }
}

/** What each beginning needs as its end. */
const ENDS = [
  ['turn/started', 'turn/ended'],
  ['tool/started', 'tool/ended'],
  ['act/seen', 'act/ended'],
] as const;

/**
 * What is wrong with the record of a session at rest: a gap or a repeat in either numbering,
 * something told twice, something begun and never ended. Empty when nothing is.
 */
export function findFaults(entries: readonly FeedEntry[]): string[] {
  const faults: string[] = [];
  const seqs = entries.flatMap(({ seq }) => (seq === null ? [] : [seq]));
  const expectCount = (name: string, numbers: readonly number[]) =>
    numbers.forEach((number, index) => {
      if (number !== index + 1) faults.push(`${name} ${number} where ${index + 1} belongs`);
    });
  expectCount(
    'position',
    entries.map(({ position }) => position),
  );
  expectCount('seq', seqs);
  const keys = entries.flatMap(({ event }) => keyOf(event) ?? []);
  const seen = new Set<string>();
  for (const key of keys) {
    if (seen.has(key)) faults.push(`${key} twice`);
    seen.add(key);
  }
  for (const [begin, end] of ENDS) {
    for (const key of keys.filter((candidate) => candidate.startsWith(begin))) {
      if (!seen.has(key.replace(begin, end))) faults.push(`${key} without ${end}`);
    }
  }
  return faults;
}
