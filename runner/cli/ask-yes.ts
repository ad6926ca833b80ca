import { createInterface } from 'node:readline/promises';

/** Where a person is asked: what is shown is not part of what a command prints. */
const TERMINAL = { input: process.stdin, output: process.stderr } as const;

/** Asks a person, who says yes by y or yes alone: Ctrl-C and the end of the input are answers too. */
export async function askYes(
  question: string,
  streams: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream } = TERMINAL,
): Promise<boolean> {
  const prompt = createInterface(streams);
  // An input that ends answers no question, and fails none.
  const ended = new Promise<string>((resolve) => prompt.once('close', () => resolve('n')));
  const asked = prompt.question(`${question} [y/N] `).catch(() => 'n');
  const answer = await Promise.race([asked, ended]);
  prompt.close();
  return /^y(es)?$/i.test(answer.trim());
}
