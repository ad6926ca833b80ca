import { describeBreach } from '../../protocol/breach.ts';
import { describeTightened } from '../../protocol/policy-words.ts';
import { witnessLines } from '../../protocol/witness.ts';
import type { NoteItem } from '../feed/items.ts';
import { describeTakeover } from './describe-takeover.ts';
import { plural } from '../format/count.ts';

/** `quiet` is for the record; `failed` is to be noticed. `detail` is shown below, as printed. */
export type Note = { text: string; tone: 'quiet' | 'failed'; detail: readonly string[] };

const quiet = (text: string, detail: readonly string[] = []): Note => ({
  text,
  tone: 'quiet',
  detail,
});
const failed = (text: string, detail: readonly string[] = []): Note => ({
  text,
  tone: 'failed',
  detail,
});

const ASKED = {
  interrupt: 'Interrupt was asked for.',
  stop: 'Stop was asked for.',
  retry: 'Retry was asked for.',
  restart: 'A restart of the engine was asked for.',
  compact: 'The next instruction begins the conversation anew, told what was done so far.',
  dismiss: 'The failure was dismissed.',
  restore: 'The dismissal was taken back.',
} as const;

/** The line that an event of the session leaves in its transcript; null for those that leave none. */
export function describeNote(event: NoteItem['event']): Note | null {
  switch (event.type) {
    case 'launch/staged':
    case 'engine/ready':
      // The launch has a place of its own above the transcript.
      return null;
    case 'launch/failed':
      return failed(event.error.message, event.stderrTail);
    case 'engine/exited': {
      if (event.expected) return null;
      const how =
        event.signal !== null
          ? `signal ${event.signal}`
          : `exit code ${event.exitCode ?? 'unknown'}`;
      return failed(`The engine’s process ended by itself: ${how}.`, event.stderrTail);
    }
    case 'engine/parked':
      return quiet(PARKED[event.reason]);
    case 'engine/blocked':
      return failed(event.message, event.excerpt.split('\n'));
    case 'engine/unblocked':
      return quiet('The engine no longer waits for it.');
    case 'session/halted':
      return failed(`Halted: ${event.message}`);
    case 'session/resumed':
      return quiet('A person has answered for it; it takes instructions again.');
    case 'breach/found':
      return failed(`Forbidden, and done: ${describeBreach(event.breach)}. ${event.breach.rule}`);
    case 'breach/overridden':
      return quiet(`Answered for: ${event.reason}`);
    case 'session/ended': {
      const text = `${ENDED[event.end]}${event.reason ? `: ${event.reason}` : '.'}`;
      return event.end === 'failed' || event.end === 'lost' ? failed(text) : quiet(text);
    }
    case 'checkout/prepared':
      return quiet(
        event.mode === 'inPlace'
          ? `Works in ${event.directory} itself.`
          : `Works in a checkout of its own, on branch ${event.branch ?? 'none'}${event.fromUncommitted ? ', with your uncommitted changes' : ''}.`,
      );
    case 'checkout/broughtBack':
      return quiet(
        `Brought back: ${plural(event.commits, 'commit')} on ${event.branch}${event.uncommittedFiles > 0 ? `, ${plural(event.uncommittedFiles, 'file')} not committed` : ''}.`,
      );
    case 'turn/witnessed': {
      const lines = witnessLines(event);
      return lines.length > 0 ? quiet(lines.join(' ')) : null;
    }
    case 'setup/ran': {
      const text = `Set-up \`${event.command}\``;
      if (event.exitCode === 0) return quiet(`${text} ran.`);
      return failed(`${text} ended with exit code ${event.exitCode ?? 'unknown'}.`, [
        event.output.text,
      ]);
    }
    case 'takeover/began':
    case 'takeover/released':
    case 'terminal/opened':
    case 'terminal/closed': {
      const { text, failed: bad } = describeTakeover(event);
      return bad ? failed(text) : quiet(text);
    }
    case 'action/requested':
      return quiet([ASKED[event.action], describeTightened(event.policy)].join(' ').trim());
    case 'session/forked':
      return quiet(`Forked after turn ${event.number}, into ${event.sessionId}.`);
    case 'command/failed':
      return failed(event.message);
    case 'rateLimit/reported':
      return event.status.startsWith('allowed')
        ? null
        : failed(`The provider limits the rate: ${event.status}.`);
    case 'notice/raised':
      if (event.level === 'info') return null;
      return event.level === 'error' ? failed(event.message) : quiet(event.message);
    default:
      return event satisfies never;
  }
}

const PARKED = {
  idle: 'Parked to free memory. The next instruction resumes it.',
  spool_full: 'Parked: its output outgrew the spool. The next instruction resumes it.',
  restarted: 'The engine’s process ended. The next instruction goes on in a new one.',
  compacted: 'The engine’s process ended, and with it the long conversation.',
  taken_over: 'The engine’s process ended, to make room for your terminal.',
  no_output: 'Parked: it said nothing for too long. The next instruction resumes it.',
  runner_restarted: 'Parked when the runner restarted. The next instruction resumes it.',
} as const;

const ENDED = {
  finished: 'Finished',
  stopped: 'Stopped',
  failed: 'Failed',
  lost: 'Lost',
} as const;
