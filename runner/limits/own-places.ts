import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCodeOf } from '../failure.ts';
import { isWithin } from './paths.ts';

/** Names a directory however it is spelled; null for what is not there. */
type Identify = (path: string) => string | null;

/**
 * Whether a real path is one of the runner's own directories or lies below one: checkouts, caches
 * and homes of sessions are there, and what a session wrote must never be taken for a person's.
 * A disk that does not tell letters apart, or a mount, gives one directory several real paths, so
 * that not the names alone are compared.
 */
export function isOwnPlace(
  own: readonly string[],
  real: string,
  identify: Identify = identityOf,
): boolean {
  if (own.some((place) => isWithin(place, real))) return true;
  const known = new Set(own.map(identify).filter((identity) => identity !== null));
  if (known.size === 0) return false;
  for (let at = real; ; at = dirname(at)) {
    const identity = identify(at);
    if (identity !== null && known.has(identity)) return true;
    if (at === dirname(at)) return false;
  }
}

function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT' || systemCodeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}
