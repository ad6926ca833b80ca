import {
  decideGrade,
  type Grade,
  type GradeDecision,
  type GradeWish,
  type SealSupport,
} from './grade.ts';
import type { EngineReadiness, MachineFacts } from './machine.ts';
import { decideNetwork, type Network, type NetworkDecision } from './network.ts';

const UNTOLD: SealSupport = {
  available: false,
  problem: 'The machine does not say that it can.',
  remedy: 'Update Pilothouse there.',
};

/**
 * The grade that a machine will give a launch, by what it told of itself: shown before anybody
 * presses. The machine decides again, by its limits at that moment.
 */
export function forecastGrade(
  wish: GradeWish,
  machine: Pick<MachineFacts, 'limits' | 'seal'> | null | undefined,
  engine: Pick<EngineReadiness, 'sealable'> | undefined,
): GradeDecision {
  const { minimumGrade, defaultGrade } = machine?.limits ?? {};
  const older = machine !== null && machine !== undefined && defaultGrade === undefined;
  if (older && wish.grade === null)
    return { ok: true, report: { grade: 'open', reason: 'No other grade was asked for.' } };
  return decideGrade(wish, {
    seal: sealOf(machine),
    homeKnown: engine?.sealable ?? false,
    minimum: minimumGrade ?? 'open',
    usual: defaultGrade ?? null,
  });
}

/** What a launch of this grade will reach there, by what the machine told of itself. */
export function forecastNetwork(
  asked: Network | null,
  grade: Grade,
  machine: Pick<MachineFacts, 'limits' | 'seal'> | null | undefined,
): NetworkDecision {
  const { minimumNetwork = 'open', defaultNetwork = 'open' } = machine?.limits ?? {};
  const facts = { grade, seal: sealOf(machine), minimum: minimumNetwork, usual: defaultNetwork };
  return decideNetwork(asked, facts);
}

/** What a machine says of its seal, and what stands for it where it says nothing. */
export const sealOf = (machine: Pick<MachineFacts, 'seal'> | null | undefined): SealSupport =>
  machine?.seal ?? UNTOLD;
