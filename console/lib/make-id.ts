import { makeId, type IdOf, type IdPrefix } from '../../protocol/ids.ts';

/** A new id made in this browser: a request that is sent again under it stays one request. */
export function newId<P extends IdPrefix>(prefix: P): IdOf<P> {
  return makeId(prefix, Date.now(), crypto.getRandomValues(new Uint8Array(16)));
}
