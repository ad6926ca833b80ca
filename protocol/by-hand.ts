import type { EventOf } from './engine-event.ts';
import { quoteWord } from './preset.ts';

/** A session's process as it was started: what a person needs to start the same. */
export type StartedProcess = NonNullable<EventOf<'launch/staged'>['process']>;

/** What a person types to run a session's process by hand, where it ran. */
export function byHandCommand({
  argv,
  directory,
}: Pick<StartedProcess, 'argv' | 'directory'>): string {
  return `cd ${quoteWord(directory)} && ${argv.map(quoteWord).join(' ')}`;
}

/** Of a sealed session, whose engine keeps what was said in a home of the session's own. */
export const SEALED_BY_HAND =
  'Its conversation is in the seal, so that the command begins a new one.';

/** What is to be known before it is run: what it costs, and what may be lost. */
export const BY_HAND_ADVICE =
  'The same command in the same directory, to see what it waits for. Stop the session before: two processes on one conversation lose turns. What it spends by hand is unmetered: it is in no ledger.';
