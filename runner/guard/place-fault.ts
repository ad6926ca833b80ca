import { readdirSync } from 'node:fs';
import type { StandingFault } from '../limits/standing.ts';
import type { Checkout } from './checkout.ts';

/**
 * Finds what has become of the place that a session works in: deleted by hand, moved, or an empty
 * directory in its stead; null where it is there. An engine that was started all the same would take
 * the work for lost, or begin it anew where there is nothing.
 */
export function findPlaceFault(checkout: Checkout): StandingFault | null {
  const { mode, directory } = checkout;
  if (mode === 'inPlace')
    return listIn(directory) ? null : { code: 'directory_missing', detail: directory };
  const kept = `Commits of its turns are in ${checkout.source.top} on the branch ${checkout.branch}.`;
  if (!listIn(checkout.top)?.length)
    return { code: 'checkout_gone', detail: `Nothing is at ${checkout.top}. ${kept}` };
  if (listIn(directory)) return null;
  return {
    code: 'checkout_gone',
    detail: `The checkout has no ${directory} any more, where the session works. ${kept}`,
  };
}

/** Names in a directory; null where there is none, or none that may be read. */
function listIn(directory: string): string[] | null {
  try {
    return readdirSync(directory);
  } catch {
    return null;
  }
}
