import type { z } from 'zod';
import { accountId, runnerId, sessionId, type AccountId } from '../../protocol/ids.ts';

/**
 * Reads who an object is from its name, `<account>/<id>`. An object that was reached by a raw id
 * has no name and no owner, so it refuses to work.
 */
function parseName<S extends z.ZodType>(
  name: string | undefined,
  schema: S,
): { account: AccountId; id: z.infer<S> } {
  const [account, id, ...rest] = (name ?? '').split('/');
  if (rest.length > 0) throw new Error(`An object is named <account>/<id>, not ${name}.`);
  return { account: accountId.parse(account), id: schema.parse(id) };
}

export const parseFeedName = (name: string | undefined) => parseName(name, sessionId);
export const parseRelayName = (name: string | undefined) => parseName(name, runnerId);
