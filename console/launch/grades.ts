import { blindForecast } from '../../protocol/engine-authority.ts';
import { forecastGrade, sealOf } from '../../protocol/grade-forecast.ts';
import { type Grade, GRADES, isAtLeast, obstacleTo } from '../../protocol/grade.ts';
import type { EngineReadiness, MachineFacts } from '../../protocol/machine.ts';
import { wordsOfGrade } from './words.ts';

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
  return GRADES.toReversed().map((grade) => ({
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
  return obstacleTo(grade, checkout, sealOf(machine));
}

type Wish = Parameters<typeof forecastGrade>[0];

/** What the session will be and why, before anybody presses: one line; null when it will be refused. */
export function foretell(
  wish: Wish,
  machine: MachineFacts | undefined,
  engine: EngineReadiness | undefined,
): string | null {
  const decision = forecastGrade(wish, machine, engine);
  if (!decision.ok) return null;
  const { grade, reason } = decision.report;
  const { label, meaning } = wordsOfGrade(grade);
  const blind = blindForecast({ acts: engine?.capabilities?.acts ?? 'structured' }, grade);
  return [`${label}.`, meaning, reason, blind].filter(Boolean).join(' ');
}
