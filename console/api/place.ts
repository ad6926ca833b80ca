import type { RunnerId } from '../../protocol/ids.ts';

/** A directory of a machine; null is every launch of the account. */
export type Place = { runnerId: RunnerId; directory: string } | null;

/** A place as what is saved for it names it. */
export const scopeOf = (place: Place) =>
  place ? ({ kind: 'repository', ...place } as const) : ({ kind: 'account' } as const);
