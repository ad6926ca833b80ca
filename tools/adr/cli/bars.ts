import { createInterface } from 'node:readline/promises';
import { AdrFailure } from '../failure.ts';
import type { Bars } from '../records/templates.ts';

type Bar = { key: keyof Bars; question: string; otherwise: string };

/** The three bars of a decision record, and what to do about a decision that stays below one. */
const BARS: readonly Bar[] = [
  {
    key: 'constrains',
    question: 'What may later code do or not do because of it?',
    otherwise: 'It constrains nothing that is still to be written, so the code says it already.',
  },
  {
    key: 'violable',
    question: 'How would a reasonable editor violate it without knowing?',
    otherwise: 'Nobody would violate it by accident, so a comment beside the code would do.',
  },
  {
    key: 'unchecked',
    question: 'Why would neither types nor tests catch that?',
    otherwise: 'Types or tests catch it, so a comment beside the code would do: say there why.',
  },
];

const isNo = (answer: string): boolean => /^(no|n|none|nothing|-)?\.?$/i.test(answer.trim());

/** Decides whether the answers call for a record; null is yes, else the sentence that says why not. */
export function decideBars(bars: Bars): string | null {
  const low = BARS.find((bar) => isNo(bars[bar.key]));
  return low ? low.otherwise : null;
}

/**
 * The answers given as options, the rest asked at a terminal. Without a terminal a missing answer
 * is an error, because a record that nobody thought about is what the bars are there to prevent.
 */
export async function collectBars(given: Partial<Bars>, interactive: boolean): Promise<Bars> {
  const bars: Partial<Bars> = { ...given };
  const missing = BARS.filter((bar) => bars[bar.key] === undefined);
  if (missing.length > 0 && !interactive) {
    throw new AdrFailure(
      'bars',
      `A record needs an answer to each of its three bars. Missing: ${missing.map((bar) => `--${bar.key} "${bar.question}"`).join(', ')}. Answer "no" to hear what would do instead.`,
    );
  }
  if (missing.length > 0) {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      for (const bar of missing) {
        // oxlint-disable-next-line no-await-in-loop -- one question after another
        bars[bar.key] = await terminal.question(`${bar.question} ("no" if it is not so)\n> `);
      }
    } finally {
      terminal.close();
    }
  }
  const { constrains = '', violable = '', unchecked = '' } = bars;
  return { constrains, violable, unchecked };
}
