import { DEFAULT_POLICY } from '../../protocol/merge-policy.ts';
import type { LaunchSpec } from '../../protocol/launch.ts';
import type { Database } from '../db/client.ts';

/** What a run may merge, as it was when the run began; version 0 is what nobody has changed. */
export type RunPolicy = { mode: string; version: number };

/**
 * Reads the merge policy that holds for a run, before anything else: the snapshot that its machine
 * was launched with, and no later one. Throws `policy_unreadable`: without a policy nothing begins.
 */
export async function readMergePolicyForRun(
  _database: Database,
  { policy }: Pick<LaunchSpec, 'policy'>,
): Promise<RunPolicy> {
  return {
    mode: (policy?.policy ?? DEFAULT_POLICY).mode,
    version: policy?.sources.at(-1)?.version ?? 0,
  };
}
