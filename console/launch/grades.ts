import { isAtLeast, OFFERED_GRADES, type Grade } from '../../protocol/grade.ts';
import type { MachineFacts } from '../../protocol/machine.ts';

type OfferedGrade = {
  grade: Grade;
  /** Why it cannot be chosen and what to do, as a sentence; null when it can. */
  obstacle: string | null;
};

/** The grades from the strictest on, each with what stands in its way on this machine. */
export function listGrades(
  machine: MachineFacts | undefined,
  checkout: 'own' | 'inPlace',
): OfferedGrade[] {
  return OFFERED_GRADES.toReversed().map((grade) => ({
    grade,
    obstacle: obstacleOf(grade, machine, checkout),
  }));
}

function obstacleOf(
  grade: Grade,
  machine: MachineFacts | undefined,
  checkout: 'own' | 'inPlace',
): string | null {
  const minimum = machine?.limits.minimumGrade ?? 'open';
  if (!isAtLeast(grade, minimum))
    return `The machine’s own limits demand ${minimum}: minimum_grade in limits.toml there.`;
  if (grade === 'open') return null;
  if (checkout === 'inPlace') return 'It needs a checkout of its own.';
  if (grade !== 'sealed') return null;
  const seal = machine?.seal;
  if (!seal) return 'The machine does not say that it can. Update Pilothouse there.';
  if (seal.available) return null;
  return [seal.problem, seal.remedy].filter((part) => part !== null).join(' On that machine: ');
}
