import type { Grade } from './grade.ts';
import type { EngineReadiness } from './machine.ts';
import {
  DEFAULT_POLICY,
  type MergePolicy,
  type PolicySnapshot,
  tightenPolicy,
} from './merge-policy.ts';
import type { ApprovalsMode } from './launch.ts';
import type { engineCapabilities } from './parsers.ts';
import { type EnginePreset, capabilitiesOf } from './preset.ts';
import type { z } from 'zod';

type Tells = Pick<z.infer<typeof engineCapabilities>, 'usage' | 'acts'>;

/** The most that an engine may merge of which nobody can tell what it costs or what it does. */
const UNOBSERVED_AT_MOST = { mode: 'pr' } as const;

/** Whether somebody can tell afterwards what an engine cost and what it did. */
const isObserved = ({ usage, acts }: Tells): boolean => usage !== 'none' && acts !== 'none';

/** A policy as far as an engine that can tell this much may use it. Pure. */
export function capPolicy(policy: MergePolicy, tells: Tells): MergePolicy {
  return isObserved(tells) ? policy : tightenPolicy(policy, UNOBSERVED_AT_MOST);
}

/** What holds for a session: the policy of its launch, and no more than its engine may use. */
export function policyOfSession(snapshot: PolicySnapshot | null, tells: Tells): MergePolicy {
  return capPolicy(snapshot?.policy ?? DEFAULT_POLICY, tells);
}

/** The policy of a launch as its engine may use it; says so where that takes something away. */
export function capSnapshot(snapshot: PolicySnapshot, tells: Tells): PolicySnapshot {
  const policy = capPolicy(snapshot.policy, tells);
  return policy.mode === snapshot.policy.mode ? snapshot : { ...snapshot, policy, capped: true };
}

/**
 * How much the engine of a launch tells: its preset says it, else the machine that would run it.
 * An engine of which neither says anything is one of the runner's own, which the runner judges.
 */
export function tellsOf(
  preset: EnginePreset | null,
  readiness: Pick<EngineReadiness, 'unmetered' | 'capabilities'> | undefined,
  approvals: ApprovalsMode,
): Tells {
  if (preset) return capabilitiesOf(preset);
  if (readiness?.capabilities) return readiness.capabilities;
  const unmetered = readiness?.unmetered?.includes(approvals) ?? false;
  return { usage: unmetered ? 'none' : 'tokens', acts: 'structured' };
}

/** What is told of an engine under this limit, as a sentence. */
export const CAPPED_SENTENCE =
  'This engine cannot be metered or watched like others, so it pushes to no protected branch, whatever the policy says.';

/** What a launch form says of it beforehand, for an engine in a mode; empty where it is observed. */
export function capForecast(
  readiness: Pick<EngineReadiness, 'unmetered' | 'capabilities'>,
  approvals: ApprovalsMode,
): string {
  return isObserved(tellsOf(null, readiness, approvals))
    ? ''
    : ' So it may open pull requests at most, whatever the policy says.';
}

/** What is told of an engine that tells no acts before it is chosen, whatever the grade will be. */
export const BLIND_SENTENCE =
  'A deploy, a publication or a call to a forge past the guard moves no ref here: nobody sees it, and only a sealed session, which has no login for it, prevents it.';

/** The same of a launch whose grade is known; empty where acts are told, or prevented by a seal. */
export function blindForecast({ acts }: Pick<Tells, 'acts'>, grade: Grade): string {
  if (acts !== 'none' || grade === 'sealed') return '';
  return `This engine does not tell what it does, and this session is ${grade}: a deploy, a publication or a call to a forge past the guard is neither prevented nor seen. Seal the session to prevent it.`;
}
