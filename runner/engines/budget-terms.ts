import type { BudgetTerms } from '../../protocol/budget.ts';
import type { Engine } from './engine.ts';
import { listPricedModels } from '../../protocol/prices.ts';

/** What a limit in dollars needs on an engine of this machine, from what the engine can tell. */
export function budgetTermsOf(
  { capabilities, ownModel, modelNames }: Pick<Engine, 'capabilities' | 'ownModel' | 'modelNames'>,
  env: NodeJS.ProcessEnv,
): BudgetTerms {
  switch (capabilities.usage) {
    case 'dollars':
      return { kind: 'reported' };
    case 'none':
      return { kind: 'none' };
    case 'tokens':
      return {
        kind: 'estimated',
        models: listPricedModels().filter((name) => modelNames?.test(name) ?? true),
        ownModel: ownModel?.(env) ?? null,
        namesModel: capabilities.namesModel ?? false,
      };
    default:
      return capabilities.usage satisfies never;
  }
}
