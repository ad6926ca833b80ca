import type { LaunchSpec } from '../../protocol/launch.ts';

/** What a run may merge, as it was when its session was launched; version 0 is what nobody has changed. */
export type RunPolicy = { mode: string; version: number };

/** The policy that a launch was snapshotted with. Null without one: then no run begins. */
export function policyOfRun({ policy }: Pick<LaunchSpec, 'policy'>): RunPolicy | null {
  return policy && { mode: policy.policy.mode, version: policy.sources.at(-1)?.version ?? 0 };
}
