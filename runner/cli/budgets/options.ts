import { InvalidArgumentError } from 'commander';
import { parseTokens, parseTurns, parseWorkMinutes } from '../../../protocol/amounts.ts';

/** Makes a reader of an option from one that answers null; throws what commander shows as wrong usage. */
const reading =
  (read: (text: string) => number | null, problem: string) =>
  (text: string): number => {
    const amount = read(text);
    if (amount === null) throw new InvalidArgumentError(problem);
    return amount;
  };

export const TOKENS = reading(parseTokens, 'Give tokens above zero, such as 500000, 500k or 2M.');
export const TURNS = reading(parseTurns, 'Turns are a whole number above zero.');
/** In ms. */
export const MINUTES = reading(parseWorkMinutes, 'Give minutes above zero, such as 90 or 0.5.');
