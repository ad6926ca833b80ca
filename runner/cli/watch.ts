import type { Command } from 'commander';
import { phaseOf } from '../../protocol/session.ts';
import { connect, type Connection, type ConnectionOptions } from './connect.ts';
import { followSession } from './follow.ts';
import { withConnection } from './options.ts';
import { note, paintFor, say } from './output.ts';
import { findSession } from './sessions/find.ts';
import { EMPTY_TRANSCRIPT, renderFrame } from './transcript.ts';
import type { FeedEvent } from '../../protocol/engine-event.ts';
import type { FeedFrame } from '../../protocol/console-frames.ts';

const EXAMPLES = `
Examples:
  pilothouse watch ses_01k…
  pilothouse watch 7x2m --new          a part of the id is enough
  ssh laptop pilothouse watch ses_01k… --json | jq .

With --json every line is one entry of the session's record. Ctrl-C stops watching; the
session goes on.`;

/** `pilothouse watch`: a session's transcript, live. */
export function addWatch(program: Command): void {
  withConnection(program.command('watch'))
    .description('watch a session live')
    .argument('<session>', 'id of a session, or a part of it')
    .option('--new', 'only what happens from now on')
    .addHelpText('after', EXAMPLES)
    .action(async (text: string, options: ConnectionOptions & { new?: true }) => {
      const connection = connect(options, process.env);
      const { sessionId } = await findSession(connection.api, text);
      const after = options.new ? await lastPosition(connection, sessionId) : 0;
      const stop = new AbortController();
      process.once('SIGINT', () => stop.abort());
      await followSession({
        url: connection.url,
        token: connection.token,
        sessionId,
        after,
        signal: stop.signal,
        onFrame: createPrinter(sessionId, options.json ?? false, () => stop.abort()),
        onDrop: () => note('The connection dropped; connecting again …\n'),
      });
    });
}

async function lastPosition(connection: Connection, sessionId: string): Promise<number> {
  return (await connection.api.readEntries(sessionId, 0, 1)).last;
}

/** Writes frames to standard output. Calls `onEnd` once the session has ended for good. */
export function createPrinter(
  sessionId: string,
  json: boolean,
  onEnd: () => void,
): (frame: FeedFrame) => void {
  const options = { sessionId, paint: paintFor(process.stdout), live: process.stdout.isTTY };
  let state = EMPTY_TRANSCRIPT;
  let upTo = Number.POSITIVE_INFINITY;
  let ended = false;
  return (frame) => {
    if (frame.type === 'snapshot') {
      upTo = frame.upTo;
      ended = phaseOf(frame.view.state) === 'ended';
    }
    const seen = frame.type === 'entries' ? (frame.entries.at(-1)?.position ?? 0) : 0;
    if (frame.type === 'entries') {
      if (json)
        process.stdout.write(frame.entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      ended = frame.entries.reduce((before, { event }) => endedAfter(before, event), ended);
    }
    if (!json) {
      const step = renderFrame(state, frame, options);
      state = step.state;
      say(step.text);
    }
    // A session that had ended before is shown whole, up to where the snapshot was taken.
    if (ended && (seen >= upTo || (frame.type === 'snapshot' && upTo === 0))) onEnd();
  };
}

function endedAfter(before: boolean, event: FeedEvent): boolean {
  if (event.type === 'session/ended') return true;
  // A retry continues the conversation.
  return event.type === 'action/requested' && event.action === 'retry' ? false : before;
}
