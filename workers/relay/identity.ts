import type { z } from 'zod';
import {
  accountId,
  runnerId,
  sessionId,
  type AccountId,
  type RunnerId,
} from '../../protocol/ids.ts';
import { terminalTarget } from '../../protocol/terminal.ts';

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

/** Reads whose terminal an object is, from `<account>/<runner>/<target>`. */
export function parsePaneName(name: string | undefined): {
  account: AccountId;
  runner: RunnerId;
  target: string;
} {
  const [account, runner, target, ...rest] = (name ?? '').split('/');
  if (rest.length > 0)
    throw new Error(`An object is named <account>/<runner>/<target>, not ${name}.`);
  return {
    account: accountId.parse(account),
    runner: runnerId.parse(runner),
    target: terminalTarget.parse(target),
  };
}

export const parseFeedName = (name: string | undefined) => parseName(name, sessionId);
export const parseRelayName = (name: string | undefined) => parseName(name, runnerId);
