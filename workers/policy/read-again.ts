import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, RunnerId } from '../../protocol/ids.ts';
import type { LaunchSpec } from '../../protocol/launch.ts';
import type { PolicySnapshot } from '../../protocol/merge-policy.ts';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { type Outcome, refuse, succeed } from '../lib/outcome.ts';
import { readMergePolicyForRun } from './read.ts';

/**
 * What the scopes of a session say by now, for a launch of it again. What cannot be read lets
 * nothing be launched, and is a refusal: an exception would lose its sentence between objects.
 */
export async function readPolicyAgain(
  env: Pick<Env, 'DB'>,
  accountId: AccountId,
  session: {
    facts: { runnerId: RunnerId };
    view: { launch: Pick<LaunchSpec, 'directory'> };
  },
): Promise<Outcome<PolicySnapshot>> {
  const { runnerId } = session.facts;
  const { directory } = session.view.launch;
  try {
    const database = openDatabase(env.DB);
    return succeed(await readMergePolicyForRun(database, accountId, { runnerId, directory }));
  } catch (error) {
    if (error instanceof PilothouseError) return refuse(error.code, error.context);
    throw error;
  }
}
