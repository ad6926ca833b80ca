import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { askYes } from '../../../runner/cli/ask-yes.ts';

/** Answers with what is typed; null is the end of the input without a word. */
async function answerOf(typed: string | null): Promise<{ yes: boolean; shown: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const yes = askYes('Approve it?', { input, output });
  if (typed === null) input.end();
  else input.write(typed);
  return { yes: await yes, shown: String(output.read() ?? '') };
}

describe('a question at the terminal', () => {
  it.each(['y\n', 'yes\n', 'YES\n', '  y  \n'])('is said yes to by %j', async (typed) => {
    expect((await answerOf(typed)).yes).toBe(true);
  });

  it.each(['\n', 'n\n', 'yess\n', 'y n\n', 'ja\n', null])('is said no to by %j', async (typed) => {
    expect((await answerOf(typed)).yes).toBe(false);
  });

  it('says which answer stands where nothing is typed', async () => {
    expect((await answerOf('\n')).shown).toBe('Approve it? [y/N] ');
  });
});
