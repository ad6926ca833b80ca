import { z } from 'zod';

/** What a limit in dollars needs on an engine. Told by the machine, so that a form can say it before. */
export const budgetTerms = z.discriminatedUnion('kind', [
  /** The engine tells dollars itself. */
  z.object({ kind: z.literal('reported') }),
  /** It tells tokens: dollars are estimated, for models with a known price. */
  z.object({
    kind: z.literal('estimated'),
    /** Names of the models with a known price. */
    models: z.array(z.string()),
    /** The model that it takes when a launch names none; null when that is not known before. */
    ownModel: z.string().nullable(),
    /** It names the model with each turn's figures, so that the first turn can tell. */
    namesModel: z.boolean(),
  }),
  /** It tells nothing that could be counted. */
  z.object({ kind: z.literal('none') }),
]);
export type BudgetTerms = z.infer<typeof budgetTerms>;

/** What may follow a model's name without making it another model: a date, a version, a mark. */
const SAME_MODEL = /^($|[-@:]v?\d|\[|-preview(-customtools)?$|-preview-\d|-latest$)/;

/** Finds the name of a known model that `model` is a dated or marked form of; undefined for none. */
export function findModel(names: readonly string[], model: string): string | undefined {
  return names.find((name) => model.startsWith(name) && SAME_MODEL.test(model.slice(name.length)));
}

const EXAMPLES = 3;

/**
 * Why a limit in dollars cannot be kept by a session with this model (null: the engine's own
 * choice), and what to do, as a sentence; null when it can.
 */
export function budgetProblem(terms: BudgetTerms, model: string | null): string | null {
  switch (terms.kind) {
    case 'reported':
      return null;
    case 'none':
      return 'This engine does not tell what it uses, so a limit in dollars cannot be kept. Launch without a budget, or choose another engine.';
    case 'estimated': {
      const used = model ?? terms.ownModel;
      if (used === null && terms.namesModel) return null;
      if (used !== null && findModel(terms.models, used) !== undefined) return null;
      const why =
        used === null
          ? 'This engine does not say which model it chooses by itself'
          : `No price is known for the model ${used}`;
      const known = terms.models.slice(0, EXAMPLES).join(', ');
      return `${why}, so a limit in dollars cannot be kept. Name a model with a known price${known ? `, such as ${known}` : ''}, or launch without a budget.`;
    }
    default:
      return terms satisfies never;
  }
}
