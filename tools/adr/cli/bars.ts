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
  if (missing.length > 0) await askFor(missing, bars);
  const { constrains = '', violable = '', unchecked = '' } = bars;
  return { constrains, violable, unchecked };
}

/** How to go on where the questions were left: what was answered is typed once. */
function again(bars: Partial<Bars>): string {
  const given = BARS.flatMap(({ key }) => {
    const answer = bars[key];
    return answer === undefined ? [] : [`--${key} '${answer.replaceAll("'", "'\\''")}'`];
  });
  return given.length === 0
    ? 'Run the command again, or answer by options (--help).'
    : `Run the command again with what you have answered: ${given.join(' ')}`;
}

/**
 * Asks until each bar is answered, or one answer is "no", which settles it. Throws `AdrFailure` when
 * the terminal is left with Ctrl-C or Ctrl-D.
 */
async function askFor(missing: readonly Bar[], bars: Partial<Bars>): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const left = new Promise<null>((resolve) => {
    // With a listener of its own, Ctrl-C is an answer like any other and no error of the terminal.
    terminal.once('SIGINT', () => resolve(null)).once('close', () => resolve(null));
  });
  const ask = (words: string): Promise<string | null> =>
    Promise.race([terminal.question(words).catch(() => null), left]);
  try {
    for (const { key, question } of missing) {
      let answer: string | null = '';
      let words = `${question} ("no" if it is not so)\n> `;
      while (answer?.trim() === '') {
        // oxlint-disable-next-line no-await-in-loop -- one question after another
        answer = await ask(words);
        words = 'Say it in a few words, or "no".\n> ';
      }
      if (answer === null) {
        process.stderr.write('\n');
        throw new AdrFailure(
          'left',
          `No record was written, because the questions were left. ${again(bars)}`,
        );
      }
      bars[key] = answer;
      if (isNo(answer)) return;
    }
  } finally {
    terminal.close();
  }
}
