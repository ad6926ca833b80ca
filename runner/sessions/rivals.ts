import { existsSync } from 'node:fs';
import type { CommandResult } from '../../protocol/command.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { LaunchSpec } from '../../protocol/launch.ts';
import { isWithin, repositoryTopOf } from '../limits/paths.ts';
import { refusedResult } from '../link/commands.ts';
import { realDirectoryOf } from './launcher.ts';

/** A directory that a session works in itself, and the working tree that it is part of. */
type Place = { directory: string; top: string | null };

/** What a session holds alone: the place it works in, and its conversation. */
export type Claim = {
  sessionId: SessionId;
  place: Place | null;
  engineSessionId: string | null;
};

export function claimOf(
  sessionId: SessionId,
  launch: Pick<LaunchSpec, 'checkout' | 'directory'>,
  engineSessionId: string | null,
): Claim {
  const directory = launch.checkout === 'inPlace' ? launch.directory : null;
  return { sessionId, place: placeOf(directory), engineSessionId };
}

/**
 * Decides who else holds what a session wants: never two processes on one conversation, nor in
 * one directory, one inside the other, or one working tree, whose index and branch they would
 * share. Linked worktrees have one repository and a tree each: they are no rivals. Pure.
 */
export function decideRival(wanted: Claim, held: readonly Claim[]): CommandResult | null {
  for (const claim of held) {
    if (claim.sessionId === wanted.sessionId) continue;
    if (wanted.place && claim.place && isShared(wanted.place, claim.place))
      return refusedResult('directory_busy', claim.place.directory);
    if (wanted.engineSessionId !== null && claim.engineSessionId === wanted.engineSessionId)
      return refusedResult('conflict', `session ${claim.sessionId} holds this conversation`);
  }
  return null;
}

function isShared(one: Place, other: Place): boolean {
  if (one.top !== null && one.top === other.top) return true;
  return isWithin(one.directory, other.directory) || isWithin(other.directory, one.directory);
}

/** A directory that is gone is nobody's; the launch itself is told so when it is checked. */
function placeOf(directory: string | null): Place | null {
  if (directory === null || !existsSync(directory)) return null;
  const real = realDirectoryOf(directory);
  return { directory: real, top: repositoryTopOf(real) };
}
