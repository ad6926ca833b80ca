import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EXIT, Failure } from '../../failure.ts';

/** Where a key is looked for before anybody is asked. */
export const BRAIN_KEY_VARIABLE = 'PILOTHOUSE_BRAIN_KEY';

/**
 * Reads a key from where other people of the machine cannot see it: the environment, a pipe, or a
 * person who types it unseen. Never from an argument.
 */
export async function readSecret(
  env: Readonly<Record<string, string | undefined>>,
  input: Readable & { isTTY?: boolean },
  ask: (text: string) => void,
): Promise<string> {
  const given = env[BRAIN_KEY_VARIABLE]?.trim();
  const secret = given || (input.isTTY ? await readUnseen(input, ask) : (await text(input)).trim());
  if (secret !== '') return secret;
  throw new Failure(
    EXIT.usage,
    'usage',
    `No key was given. Pipe it in (pilothouse brain-keys add NAME < FILE), type it when asked, or set ${BRAIN_KEY_VARIABLE}.`,
  );
}

async function readUnseen(input: Readable, ask: (text: string) => void): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input, output: nowhere, terminal: true });
  ask('Key (it is not shown): ');
  try {
    return (await prompt.question('')).trim();
  } finally {
    prompt.close();
    ask('\n');
  }
}
