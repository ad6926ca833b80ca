import { z } from 'zod';
import type { Grade, SealSupport } from './grade.ts';

/**
 * What a session reaches, from the most to the least. `model-only`: its model, the gate of its
 * repository, and hosts that the machine's own limits name.
 */
export const NETWORKS = ['open', 'model-only'] as const;
export const network = z.enum(NETWORKS);
export type Network = z.infer<typeof network>;

export type NetworkFacts = {
  grade: Grade;
  seal: Pick<SealSupport, 'available' | 'networkProblem'>;
  /** The most that the machine's own limits allow. */
  minimum: Network;
  /** What they say for a launch that asks for none. */
  usual: Network;
};

export type NetworkDecision =
  | { ok: true; network: Network }
  | { ok: false; code: 'network_unavailable' | 'network_not_allowed'; detail: string };

/**
 * Decides what a session of this grade reaches: what its launch asks for, else what its machine
 * says. Nothing reaches more than was asked for. Pure: the machine decides by it, and whoever is
 * about to launch is shown the same before.
 */
export function decideNetwork(asked: Network | null, facts: NetworkFacts): NetworkDecision {
  const obstacle = networkObstacle(facts.grade, facts.seal);
  // Where other grades have no network of their own, a sealed one that cannot have it is no more open.
  const usual = facts.grade === 'sealed' && facts.minimum === 'open' ? facts.usual : null;
  if ((asked ?? usual) === 'model-only' && obstacle !== null)
    return { ok: false, code: 'network_unavailable', detail: obstacle };
  const strictest = facts.minimum === 'model-only' ? 'model-only' : facts.usual;
  const given = asked ?? (obstacle === null ? strictest : 'open');
  if (given === 'model-only' || facts.minimum === 'open') return { ok: true, network: given };
  const detail = ['at least model-only', ...(obstacle === null ? [] : [obstacle])].join(': ');
  return { ok: false, code: 'network_not_allowed', detail };
}

/** Why a session of this grade cannot be kept to its model, as sentences; null when it can. */
export function networkObstacle(grade: Grade, seal: NetworkFacts['seal']): string | null {
  if (grade !== 'sealed') return `It is ${grade}: only a sealed session has a network of its own.`;
  if (seal.networkProblem === undefined)
    return 'The machine does not say that it can. Update Pilothouse there.';
  return seal.networkProblem;
}
