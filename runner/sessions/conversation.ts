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

/**
 * Who else may be at a conversation: never two processes on one. An engine that names it in its
 * command line holds it; one that was begun by hand may be held by any that runs where it was
 * begun. Pure.
 */
export function findHolder(
  { engineSessionId, directory, begunByHand }: Resumption,
  running: readonly HandProcess[],
): HandProcess | null {
  const names = ({ argv }: HandProcess) => argv.some((word) => word.includes(engineSessionId));
  const isThere = (held: HandProcess) => begunByHand && held.directory === directory;
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
