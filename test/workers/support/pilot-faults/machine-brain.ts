import type { BrainReply } from '../../../../protocol/brain-answer.ts';
import type { Chance } from './chance.ts';

type Value = Omit<Exclude<BrainReply, never>, 'usage'>;

/**
 * What an engine says to the question of what is next: mostly something good, and sometimes
 * nothing that can be used, or a finish that nothing proves. `served`: it was charged.
 */
export function answerQuestion(
  chance: Chance,
  work: string,
  calm: boolean,
): { value: Value; served: boolean } {
  const drawn = calm ? 1 : chance.next('brain');
  const served = true;
  if (drawn < 0.06)
    return { value: { kind: 'undecided', problem: 'It would not say.' } as Value, served };
  if (drawn < 0.1) {
    const value = { kind: 'unavailable', reason: 'It is busy.', waitMs: 60_000 } as Value;
    return { value, served: false };
  }
  const next = drawn < 0.16 ? 'wait_until' : drawn < 0.2 ? 'ask_human' : NEXT;
  const finish = chance.happens('brain finishes', 0.4);
  return {
    value: { kind: 'answered', answer: answerOf(finish ? 'finish' : next, work) } as Value,
    served,
  };
}

const NEXT = 'instruct';

/** A decision as a model gives it. */
export const answerOf = (
  next: 'instruct' | 'finish' | 'wait_until' | 'ask_human',
  work: string,
) => ({
  next,
  instruction: next === 'instruct' ? `Go on: ${work}` : null,
  waitMinutes: next === 'wait_until' ? 5 : null,
  reason: 'The checks say so.',
});
