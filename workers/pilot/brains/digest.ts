import type { FeedEntry } from '../../../protocol/engine-event.ts';

/** Characters of the record that a brain is shown, and of one line in it. */
export const DIGEST_CHARS = 24_000;
const LINE_CHARS = 2_000;
const SHORT_CHARS = 200;

/**
 * What the engine said and did, newest first, until the room is used up: texts cut, tool calls and
 * acts as a line each, a change of a file by its size. All of it is the engine's own and untrusted.
 */
export function digestRecord(entries: readonly FeedEntry[], room = DIGEST_CHARS): string {
  const lines: string[] = [];
  let left = room;
  for (const entry of entries.toReversed()) {
    for (const line of linesOf(entry.event)) {
      left -= line.length + 1;
      if (left < 0) return [...lines, '(what is earlier is left out)'].join('\n');
      lines.push(line);
    }
  }
  return lines.join('\n');
}

function linesOf(event: FeedEntry['event']): string[] {
  switch (event.type) {
    case 'turn/accepted':
      return [`told: ${cut(event.text, LINE_CHARS)}`];
    case 'turn/ended':
      return [`turn ended: ${event.outcome}${event.error ? ` (${event.error.code})` : ''}`];
    case 'text/completed':
      // What a subagent says reaches its caller, and thoughts are no result.
      return event.parentToolId !== null || event.kind === 'thinking'
        ? []
        : [`said: ${cut(event.text.text, LINE_CHARS)}`];
    case 'tool/started':
      return [`used ${cut(event.name, SHORT_CHARS)}: ${cut(event.summary, SHORT_CHARS)}`];
    case 'tool/ended':
      return [
        ...event.files.map(
          ({ path, change, additions, deletions }) =>
            `${change} ${cut(path, SHORT_CHARS)} (+${additions} -${deletions})`,
        ),
        ...(event.outcome === 'ok' ? [] : [`a tool call came to: ${event.outcome}`]),
      ];
    case 'act/seen':
      return [
        `act ${event.act.kind} ${cut(event.act.target ?? '', SHORT_CHARS)}: ${cut(event.act.command, SHORT_CHARS)}`,
      ];
    case 'act/ended':
      return [`the act came to: ${event.outcome}`];
    case 'approval/resolved':
      return event.resolution === 'expired' ? ['an approval expired: nobody answered, so no'] : [];
    default:
      return [];
  }
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars)} (cut)`;
}
