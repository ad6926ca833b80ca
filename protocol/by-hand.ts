import type { EventOf } from './engine-event.ts';
import { quoteWord } from './preset.ts';
import type { SessionView } from './session-view.ts';

/** A session's process as it was started: what a person needs to start the same. */
export type StartedProcess = NonNullable<EventOf<'launch/staged'>['process']>;

/**
 * The words with which a session's process is run by hand. `engine` is what the session knows of its
 * engine, null before it was ready: a conversation that it has is opened, and no more begun.
 */
export function byHandWords(
  { argv, resumed }: Pick<StartedProcess, 'argv' | 'resumed'>,
  engine: SessionView['engine'],
): readonly string[] {
  return engine !== null && resumed?.includes(engine.engineSessionId) ? resumed : argv;
}

/** What a person types to run a session's process by hand, where it ran. */
export function byHandCommand(
  process: Pick<StartedProcess, 'argv' | 'directory' | 'resumed'>,
  engine: SessionView['engine'],
): string {
  const words = byHandWords(process, engine).map(quoteWord);
  return `cd ${quoteWord(process.directory)} && ${words.join(' ')}`;
}

/** Of a sealed session, whose engine keeps what was said in a home of the session's own. */
export const SEALED_BY_HAND =
  'Its conversation is in the seal, so that the command begins a new one.';

/** What is to be known before it is run: what it costs, and what may be lost. */
export const BY_HAND_ADVICE =
  'The same command in the same directory, or its conversation in the engine’s own terminal once that has begun, to see what it waits for. Stop the session before: two processes on one conversation lose turns. What it spends by hand is unmetered: it is in no ledger.';
