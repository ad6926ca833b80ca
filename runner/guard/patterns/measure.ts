import type { Expression } from './expression.ts';
import { longestForm } from './text-forms.ts';

/**
 * Lengths of what an expression matches, in characters: as written, and the longest when each is
 * escaped or encoded. `fixed` of them at its start are the same in every
 * match, or in every one of the same alternative.
 */
export type Measure = { min: number; max: number; longest: number; fixed: number };

/** How short and how long a match can be. Does not write repetitions out, so any number is cheap. */
export function measure(expression: Expression): Measure {
  switch (expression.kind) {
    case 'set':
      return {
        min: 1,
        max: 1,
        longest: longestForm(expression.codes),
        fixed: expression.codes.length === 1 ? 1 : 0,
      };
    case 'sequence':
      return expression.parts
        .map(measure)
        .reduce(followed, { min: 0, max: 0, longest: 0, fixed: 0 });
    case 'choice': {
      const each = expression.parts.map(measure);
      return {
        min: Math.min(...each.map(({ min }) => min)),
        max: Math.max(...each.map(({ max }) => max)),
        longest: Math.max(...each.map(({ longest }) => longest)),
        fixed: Math.min(...each.map(({ fixed }) => fixed)),
      };
    }
    case 'repeat': {
      const { part, min: least, max: most } = expression;
      const { min, max, longest, fixed } = measure(part);
      const same = fixed === max;
      return {
        min: min * least,
        max: max * most,
        longest: longest * most,
        fixed: least > 0 ? (same ? fixed * least : fixed) : 0,
      };
    }
    default:
      return expression satisfies never;
  }
}

function followed(before: Measure, next: Measure): Measure {
  const stillFixed = before.fixed === before.max;
  return {
    min: before.min + next.min,
    max: before.max + next.max,
    longest: before.longest + next.longest,
    fixed: before.fixed + (stillFixed ? next.fixed : 0),
  };
}
