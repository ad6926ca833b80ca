import { createInterface } from 'node:readline/promises';

/** Where a person is asked: what is shown is not part of what a command prints. */
type Streams = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream };
const TERMINAL: Streams = { input: process.stdin, output: process.stderr };

/** Asks a person for a line. Ctrl-C and the end of the input are answers too: an empty one. */
export async function askLine(question: string, streams = TERMINAL): Promise<string> {
  const prompt = createInterface(streams);
  // An input that ends answers no question, and fails none.
  const ended = new Promise<string>((resolve) => prompt.once('close', () => resolve('')));
  const asked = prompt.question(`${question} `).catch(() => '');
  const answer = await Promise.race([asked, ended]);
  prompt.close();
  return answer;
}

/** Asks a person, who says yes by y or yes alone. */
export async function askYes(question: string, streams = TERMINAL): Promise<boolean> {
  return /^y(es)?$/i.test((await askLine(`${question} [y/N]`, streams)).trim());
}
