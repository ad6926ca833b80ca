import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { engineId } from '../../protocol/engine-id.ts';
import { INSTRUCTION_MAX_CHARS, instructionText } from '../../protocol/instruction.ts';
import {
  LAUNCH_STAGES,
  PROVIDER_FAILURES,
  approvalsMode,
  launchSpec,
  launchStage,
  providerFailure,
  titleOf,
} from '../../protocol/launch.ts';
import { TRANSITIONS } from '../../protocol/session.ts';
import { aLaunch } from '../support/protocol-builders.ts';

const accepts = (over: Record<string, unknown>) =>
  launchSpec.safeParse({ engineId: 'claude', directory: '/r', objective: 'Work', ...over }).success;

describe('what a person asks for', () => {
  it('needs an engine, a place and an objective; the rest is the careful choice', () => {
    expect(launchSpec.parse({ engineId: 'claude', directory: '/r', objective: 'Work' })).toEqual({
      engineId: 'claude',
      preset: null,
      directory: '/r',
      objective: 'Work',
      checkout: 'own',
      baseRef: null,
      fromUncommitted: false,
      noOutputMs: 900_000,
      answerMs: 86_400_000,
      grade: null,
      approvals: 'ask',
      model: null,
      conversation: null,
      budgetMicroUsd: null,
      from: null,
      policy: null,
      pilot: null,
    });
  });

  it.each(['engineId', 'directory', 'objective'])('without %s is refused', (field) => {
    const { [field]: _left, ...rest } = aLaunch() as Record<string, unknown>;
    expect(launchSpec.safeParse(rest).success).toBe(false);
  });

  it('may leave the directory to the rehearsal, but not leave it empty', () => {
    expect(accepts({ directory: null })).toBe(true);
    expect(accepts({ directory: '' })).toBe(false);
  });

  it.each([
    ['a directory of 4096 characters', { directory: '/'.padEnd(4096, 'a') }, true],
    ['a longer one', { directory: '/'.padEnd(4097, 'a') }, false],
    ['a branch name', { baseRef: 'release/1.2' }, true],
    ['an empty branch name', { baseRef: '' }, false],
    ['a branch name of 201 characters', { baseRef: 'b'.repeat(201) }, false],
    ['an empty model', { model: '' }, false],
    ['a model of 101 characters', { model: 'm'.repeat(101) }, false],
    ['another kind of checkout', { checkout: 'shared' }, false],
    ['another approvals mode', { approvals: 'yolo' }, false],
    ['a wish that is not yes or no', { fromUncommitted: 'yes' }, false],
  ])('%s: %j is accepted: %s', (_what, over, accepted) => {
    expect(accepts(over)).toBe(accepted);
  });

  it.each([
    [1, true],
    [5_000_000, true],
    [0, false],
    [-1, false],
    [0.5, false],
    [Number.NaN, false],
    [Number.POSITIVE_INFINITY, false],
    ['1000', false],
  ])('a budget of %s micro-dollars is accepted: %s', (budgetMicroUsd, accepted) => {
    expect(accepts({ budgetMicroUsd })).toBe(accepted);
  });

  it('is read back from JSON without a difference', () => {
    const launch = aLaunch({ budgetMicroUsd: 7, model: 'opus', baseRef: 'main' });
    expect(launchSpec.parse(JSON.parse(JSON.stringify(launch)))).toEqual(launch);
  });
});

describe('the name of an engine', () => {
  it.each(['claude', 'rehearsal', 'gpt-5', 'a', `a${'b'.repeat(30)}`])('may be %s', (id) => {
    expect(engineId.safeParse(id).success).toBe(true);
  });

  it.each(['', 'Claude', '5x', '-x', 'a_b', 'a/b', '../claude', 'a b', `a${'b'.repeat(31)}`])(
    'may not be %j',
    (id) => {
      expect(engineId.safeParse(id).success).toBe(false);
    },
  );
});

describe('the words of an instruction', () => {
  it.each([' ', '\n\t', '\u00a0', ''])('may not be only white space: %j', (text) => {
    expect(instructionText.safeParse(text).success).toBe(false);
  });

  it('may be as long as what a person pastes, and no longer', () => {
    expect(instructionText.safeParse('x'.repeat(INSTRUCTION_MAX_CHARS)).success).toBe(true);
    expect(instructionText.safeParse('x'.repeat(INSTRUCTION_MAX_CHARS + 1)).success).toBe(false);
  });

  it('are kept as they were written, white space included', () => {
    expect(instructionText.parse('  do\n this  ')).toBe('  do\n this  ');
  });
});

describe('the title of a session', () => {
  it('is the first line of its objective', () => {
    expect(titleOf('  Mend the fence  \nand paint it')).toBe('Mend the fence');
  });

  it('is cut at a word, and says that it was', () => {
    expect(titleOf('Mend the fence behind the house', 20)).toBe('Mend the fence…');
  });

  it('is cut inside a word that is longer than half of it', () => {
    expect(titleOf(`a ${'b'.repeat(50)}`, 20)).toBe(`a ${'b'.repeat(17)}…`);
  });

  it('that just fits is whole', () => {
    expect(titleOf('x'.repeat(80))).toBe('x'.repeat(80));
  });

  it('of nothing is nothing', () => {
    expect(titleOf(' \n ')).toBe('');
  });

  it('is never longer than its bound, and never has more than one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (objective) => {
        const title = titleOf(objective);
        expect(title.length).toBeLessThanOrEqual(80);
        expect(title).not.toContain('\n');
      }),
    );
  });
});

describe('closed lists', () => {
  it('of stages begin with waiting and end with the engine’s own word', () => {
    expect(LAUNCH_STAGES[0]).toBe('queued');
    expect(LAUNCH_STAGES.at(-1)).toBe('bootstrap_confirmed');
    expect(LAUNCH_STAGES.every((stage) => launchStage.safeParse(stage).success)).toBe(true);
  });

  it('of stages are states of a session, each leading to the next', () => {
    for (const [index, stage] of LAUNCH_STAGES.entries()) {
      const next = LAUNCH_STAGES[index + 1];
      expect(next === undefined || (TRANSITIONS[stage] as readonly string[]).includes(next)).toBe(
        true,
      );
    }
  });

  it('of failures refuse a word that nobody knows', () => {
    expect(PROVIDER_FAILURES.every((code) => providerFailure.safeParse(code).success)).toBe(true);
    expect(providerFailure.safeParse('out_of_luck').success).toBe(false);
  });

  it('of approvals modes hold the one that asks', () => {
    expect(approvalsMode.options).toContain('ask');
  });
});
