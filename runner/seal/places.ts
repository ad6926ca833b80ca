import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import type { SessionId } from '../../protocol/ids.ts';
import { isWithin } from '../limits/paths.ts';

/** Where on the machine the private parts of one session's seal lie, below the runner's directory. */
export type SealPlaces = {
  top: string;
  home: string;
  tmp: string;
  /** Directories of the engine's own that lie outside of the home. */
  own: string;
  /** What is written for the session to read: settings, and the one user that it is. */
  shown: string;
  /** Where its git finds the gate; a directory, so that it sees what is written later. */
  gate: string;
  /** What an open session's git and forge programs meet first; it can write all of it. */
  guard: string;
  /** Programs of the runner's that stand before those of the machine. */
  programs: string;
  /** What its engine is asked beside its work finds itself in; no process of the work writes there. */
  aside: string;
  /** A copy of a conversation that it begins as; no process of the session writes there. */
  forked: string;
  /** What its instructions came with, to be looked at; of no seal, so that any session has it. */
  images: string;
};

export function sealPlaces(root: string, sessionId: SessionId): SealPlaces {
  const top = join(root, 'seals', sessionId);
  return {
    top,
    home: join(top, 'home'),
    tmp: join(top, 'tmp'),
    own: join(top, 'own'),
    shown: join(top, 'shown'),
    gate: join(top, 'gate'),
    guard: join(top, 'guard'),
    programs: join(top, 'programs'),
    aside: join(top, 'aside'),
    forked: join(top, 'forked'),
    images: join(root, 'images', sessionId),
  };
}

/** Downloads of tools, kept per repository: one that is shared could be poisoned from another. */
export function cacheDirectory(root: string, commonDirectory: string): string {
  const name = createHash('sha256').update(commonDirectory).digest('hex').slice(0, 16);
  return join(root, 'caches', name);
}

/** Where a path of the person's home, or of the engine's own, really lies for a sealed session. */
export function privatePathOf(
  path: string,
  home: string,
  own: readonly string[],
  places: Pick<SealPlaces, 'home' | 'own'>,
): string {
  if (isWithin(home, path)) return join(places.home, relative(home, path));
  const index = own.findIndex((directory) => isWithin(directory, path));
  if (index < 0) throw new Error(`${path} is in no directory of the engine's own`);
  return join(places.own, String(index), relative(own[index] ?? '', path));
}
