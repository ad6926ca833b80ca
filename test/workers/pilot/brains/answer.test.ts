import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pilotDecision } from '../../../../protocol/pilot.ts';
import { addUsage } from '../../../../protocol/usage.ts';
import { brainAnswer } from '../../../../protocol/brain-answer.ts';
import { decisionOf } from '../../../../workers/pilot/brains/answer.ts';
import { budgetReached } from '../../../../workers/pilot/brains/budget.ts';
import { anEvidence } from '../../../support/pilot-builders.ts';
import { aLaunch, aUsage } from '../../../support/protocol-builders.ts';

const NOW = 1_764_000_000_000;
const answer = (over: object) =>
  brainAnswer.parse({
    next: 'finish',
    instruction: null,
    waitMinutes: null,
    reason: 'Because.',
    ...over,
  });
const decide = (over: object) =>
  pilotDecision.safeParse(decisionOf(answer(over), [anEvidence()], NOW));

describe('an answer of a model', () => {
  it('has the evidence that the machine made, and no other', () => {
    const claimed = { next: 'finish', evidence: [anEvidence({ passed: true })] };
    expect(decide(claimed).data).toMatchObject({ next: 'finish', evidence: [{ passed: false }] });
  });

  it('that waits is a time from now on', () => {
    const decided = decide({ next: 'wait_until', waitMinutes: 1.5 });
    expect(decided.data).toMatchObject({ next: 'wait_until', until: NOW + 90_000 });
  });

  it.each<[object, string]>([
    [{ next: 'instruct' }, 'without words'],
    [{ next: 'instruct', instruction: '  ' }, 'with none but spaces'],
    [{ next: 'ask_human', reason: ' ' }, 'without a reason'],
    [{ next: 'wait_until', waitMinutes: -1e15 }, 'before there was time'],
  ])('%j is no decision: it is %s', (over) => {
    expect(decide(over).success).toBe(false);
  });

  it('is a decision or none, and never throws, whatever numbers and words are in it', () => {
    const numbers = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }));
    const words = fc.option(fc.string());
    fc.assert(
      fc.property(words, numbers, fc.string(), (instruction, waitMinutes, reason) => {
        const verbs = ['instruct', 'finish', 'ask_human', 'wait_until'];
        const decided = verbs.map((next) => decide({ next, instruction, waitMinutes, reason }));
        const told = decided.map(({ data }, index) => data?.next ?? verbs[index]);
        expect(told).toEqual(verbs);
      }),
    );
  });
});

describe('the budget of a session with a brain', () => {
  const launch = aLaunch({ budgetMicroUsd: 1_000_000 });
  const engine = aUsage({ microUsd: 600_000 });
  const brain = aUsage({ provenance: 'estimated', microUsd: 400_000 });

  it('is reached by both together, and says what to do', () => {
    expect(budgetReached({ launch, spend: addUsage({}, engine) })).toBeNull();
    const both = addUsage(addUsage({}, engine), brain);
    expect(budgetReached({ launch, spend: both })).toMatch(/\$1\.00.*Give the next instruction/);
  });

  it('is never reached where there is none', () => {
    const spend = addUsage({}, aUsage({ microUsd: 900_000_000 }));
    expect(budgetReached({ launch: aLaunch({ budgetMicroUsd: null }), spend })).toBeNull();
  });
});
