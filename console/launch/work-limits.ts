import {
  groupingProblem,
  limitsOf,
  parseTokens,
  parseTurns,
  parseWorkMinutes,
} from '../../protocol/amounts.ts';
import type { SessionLimits } from '../../protocol/launch.ts';
import { decimalMark } from '../format/locale.ts';

export type WorkLimitsDraft = { tokens: string; turns: string; minutes: string };
export const NO_WORK_LIMITS: WorkLimitsDraft = { tokens: '', turns: '', minutes: '' };

const READ = {
  tokens: { read: parseTokens, problem: 'Give tokens, such as 500k or 2M, or leave it empty.' },
  turns: { read: parseTurns, problem: 'Give a whole number of turns, or leave it empty.' },
  minutes: { read: parseWorkMinutes, problem: 'Give minutes, such as 90, or leave it empty.' },
} as const;
const FIELDS = ['tokens', 'turns', 'minutes'] as const;

/** The limits of a session beside dollars as typed, and what is wrong with them. Pure. */
export function readWorkLimits(draft: WorkLimitsDraft): {
  limits: SessionLimits | null;
  problems: Partial<WorkLimitsDraft>;
} {
  const mark = decimalMark();
  const problems: Partial<WorkLimitsDraft> = {};
  const [tokens, turns, timeMs] = FIELDS.map((field) => {
    const typed = draft[field].trim();
    const amount = typed === '' ? null : READ[field].read(typed, mark);
    if (typed !== '' && amount === null)
      problems[field] = groupingProblem(typed, mark) ?? READ[field].problem;
    return amount;
  });
  return { limits: limitsOf({ tokens, turns, timeMs }), problems };
}
