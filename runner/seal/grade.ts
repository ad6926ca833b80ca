import { isAtLeast, type Grade, type GradeReport, type SealSupport } from '../../protocol/grade.ts';
import type { LaunchSpec } from '../../protocol/launch.ts';

export type GradeFacts = {
  seal: SealSupport;
  /** The engine says what it needs of a home, so that it can be given one of its own. */
  engineCanBeSealed: boolean;
  /** The least that the machine's own limits demand. */
  minimum: Grade;
};

export type GradeDecision =
  | { ok: true; report: GradeReport }
  | { ok: false; code: 'grade_unavailable' | 'grade_not_allowed'; detail: string };

/**
 * Decides how much power a session is given: what the launch asks for, else the least that works
 * here. Nothing is quietly given more power than was asked for. Pure.
 */
export function decideGrade(
  { grade: asked, checkout }: Pick<LaunchSpec, 'grade' | 'checkout'>,
  facts: GradeFacts,
): GradeDecision {
  const obstacle = obstacleOf(checkout, facts);
  const report = asked === null ? byDefault() : chosen(asked);
  if (asked === 'fenced')
    return { ok: false, code: 'grade_unavailable', detail: 'No session can be fenced yet.' };
  if (asked === 'sealed' && obstacle !== null)
    return { ok: false, code: 'grade_unavailable', detail: obstacle };
  if (isAtLeast(report.grade, facts.minimum)) return { ok: true, report };
  return {
    ok: false,
    code: 'grade_not_allowed',
    detail: `at least ${facts.minimum}, and this one would be ${report.grade}: ${obstacle ?? report.reason}`,
  };
}

const chosen = (grade: Grade): GradeReport => ({ grade, reason: 'It was chosen at launch.' });
const byDefault = (): GradeReport => ({ grade: 'open', reason: 'No other grade was asked for.' });

function obstacleOf(checkout: LaunchSpec['checkout'], facts: GradeFacts): string | null {
  if (checkout === 'inPlace')
    return 'It works in the directory itself, not in a checkout of its own.';
  if (!facts.seal.available) return wordsOf(facts.seal);
  return facts.engineCanBeSealed ? null : 'What this engine needs of a home is not known.';
}

const wordsOf = ({ problem, remedy }: SealSupport): string =>
  [problem, remedy].filter((part) => part !== null).join(' Remedy: ');
