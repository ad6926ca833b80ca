import { type Grade, type GradeReport, isAtLeast } from '../../protocol/grade.ts';
import type { Network } from '../../protocol/network.ts';
import type { ErrorCode } from '../../protocol/errors.ts';

/** Why a session that is there may not go on: what is wrong, and as a sentence what to do. */
export type StandingFault = { code: ErrorCode; detail: string };

/**
 * Decides whether a session may go on with the power and the network that it was given, by what the
 * machine demands now; null where it may. Both last as long as its checkout. Pure.
 */
export function findStandingFault(
  { grade, network = 'open' }: Pick<GradeReport, 'grade' | 'network'>,
  { minimumGrade, minimumNetwork }: { minimumGrade: Grade; minimumNetwork: Network },
): StandingFault | null {
  const say = (demanded: string, is: string, key: string) =>
    `limits.toml of the machine demands ${demanded} by now (${key}), and this session is ${is}, which it stays. It does nothing more here. Launch a new one, or change ${key} on that machine: then it takes instructions again.`;
  if (!isAtLeast(grade, minimumGrade))
    return {
      code: 'grade_not_allowed',
      detail: say(`at least ${minimumGrade}`, grade, 'minimum_grade'),
    };
  if (minimumNetwork === 'model-only' && network === 'open')
    return {
      code: 'network_not_allowed',
      detail: say('that sessions reach their model alone', 'not kept to it', 'minimum_network'),
    };
  return null;
}
