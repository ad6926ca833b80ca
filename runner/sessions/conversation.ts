import type { LaunchSpec } from '../../protocol/launch.ts';
import type { Engine } from '../engines/engine.ts';
import type { HandProcess } from '../process/by-hand.ts';
import { refuseLaunch } from './launcher.ts';

/** A conversation that a process of ours is about to carry on, and where. */
export type Resumption = {
  engineSessionId: string;
  directory: string;
  /** It was begun by hand: an engine that says nothing of its conversation may hold this one. */
  begunByHand: boolean;
};

/** How the engines are told a conversation's id, the id behind it or in the next word. */
const NAMES_ONE = /^(?:-r|--resume|--session-id|--session|resume)(?:=(.+))?$/;

/** Whether a command line says which conversation it is for: one to take up the newest does not. */
const namesOne = (argv: readonly string[]): boolean =>
  argv.some((word, index) => {
    const match = NAMES_ONE.exec(word);
    const id = match && (match[1] ?? argv[index + 1]);
    return id !== null && id !== undefined && !id.startsWith('-');
  });

/**
 * Who else may be at a conversation: never two processes on one. An engine that names it in its
 * command line holds it; one that runs in its directory may, unless it names another one, and of a
 * conversation that was begun by hand even then. Pure.
 */
export function findHolder(
  { engineSessionId, directory, begunByHand }: Resumption,
  running: readonly HandProcess[],
): HandProcess | null {
  const names = ({ argv }: HandProcess) => argv.some((word) => word.includes(engineSessionId));
  const isThere = (held: HandProcess) =>
    held.directory === directory && (begunByHand || !namesOne(held.argv));
  return running.find((held) => names(held) || isThere(held)) ?? null;
}

/** Refuses to carry on a conversation that the engine cannot resume, or not where the launch says. */
export function checkConversation(launch: LaunchSpec, engine: Engine): void {
  if (launch.conversation === null) return;
  if (!engine.capabilities.resume) throw refuseLaunch('resume_unsupported', engine.label);
  if (launch.checkout !== 'inPlace') throw refuseLaunch('conversation_elsewhere', null);
}

/** Refuses while somebody else is at the conversation. `running` are processes of the same engine. */
export function checkUnheld(resumption: Resumption, running: readonly HandProcess[]): void {
  const holder = findHolder(resumption, running);
  if (holder) throw refuseLaunch('conversation_held', `pid ${holder.pid}`);
}
