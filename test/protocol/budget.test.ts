import { describe, expect, it } from 'vitest';
import { budgetProblem, budgetTerms, findModel, type BudgetTerms } from '../../protocol/budget.ts';

const estimated = (
  over: Partial<Extract<BudgetTerms, { kind: 'estimated' }>> = {},
): BudgetTerms => ({
  kind: 'estimated',
  models: ['gpt-5.5', 'gpt-5.4-mini', 'gpt-5.4'],
  ownModel: null,
  namesModel: false,
  ...over,
});

describe('a limit in dollars', () => {
  it.each([
    ['an engine that tells dollars', { kind: 'reported' }, null],
    ['an engine that tells dollars, whatever the model', { kind: 'reported' }, 'anything'],
    ['a model with a known price', estimated(), 'gpt-5.5'],
    ['a dated form of one', estimated(), 'gpt-5.4-mini-2026-03-01'],
    ['the engine’s own model, when it is known', estimated({ ownModel: 'gpt-5.4' }), null],
    ['an engine that names its model after the first turn', estimated({ namesModel: true }), null],
  ] as const)('can be kept with %s', (_what, terms, model) => {
    expect(budgetProblem(terms, model)).toBeNull();
  });

  it.each([
    ['an engine that tells nothing', { kind: 'none' }, 'gpt-5.5', /does not tell what it uses/],
    ['an unknown model', estimated(), 'gpt-9', /No price is known for the model gpt-9/],
    ['another model of a like name', estimated(), 'gpt-5.5-max', /the model gpt-5\.5-max/],
    ['no model, where nobody says which', estimated(), null, /does not say which model/],
    ['an own model without a price', estimated({ ownModel: 'x1' }), null, /the model x1/],
    ['an unknown model, though it names them', estimated({ namesModel: true }), 'x1', /model x1/],
  ] as const)('cannot be kept with %s, which says what to do', (_what, terms, model, why) => {
    const problem = budgetProblem(terms, model);
    expect(problem).toMatch(why);
    expect(problem).toMatch(/without a budget/);
  });

  it('is told in a form that survives the wire', () => {
    for (const terms of [{ kind: 'none' }, { kind: 'reported' }, estimated()])
      expect(budgetTerms.parse(JSON.parse(JSON.stringify(terms)))).toEqual(terms);
  });
});

describe('a model’s name', () => {
  it('is not taken for a longer one', () => {
    expect(findModel(['gpt-5.4-mini', 'gpt-5.4'], 'gpt-5.4-mini')).toBe('gpt-5.4-mini');
    expect(findModel(['gpt-5.4'], 'gpt-5.4-mini')).toBeUndefined();
  });
});
