import type { GradeReport } from '../../protocol/grade.ts';
import { plainText } from './format.ts';

/** How much power a session holds and why, and what it reaches where that is not everything. */
export function sayGrade({ grade, reason, network }: GradeReport): string {
  const closed = network === 'model-only' ? ' It reaches its model and the gate alone.' : '';
  return `${grade}: ${plainText(reason)}${closed}`;
}
