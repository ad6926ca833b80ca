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
  wanted: Wanted = BRAIN_KEY,
): Promise<string> {
  const { variable, what, command } = wanted;
  const given = env[variable]?.trim();
  const typed = async () => readUnseen(input, ask, what);
  const secret = given || (input.isTTY ? await typed() : (await text(input)).trim());
  if (secret !== '') return secret;
  throw new Failure(
    EXIT.usage,
    'usage',
    `No ${what} was given. Pipe it in (${command} < FILE), type it when asked, or set ${variable}.`,
  );
}

/** A secret that is asked for: where it may stand, what it is, and the command that takes it. */
export type Wanted = { variable: string; what: string; command: string };

const BRAIN_KEY: Wanted = {
  variable: BRAIN_KEY_VARIABLE,
  what: 'key',
  command: 'pilothouse brain-keys add NAME',
};

async function readUnseen(
  input: Readable,
  ask: (text: string) => void,
  what: string,
): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input, output: nowhere, terminal: true });
  ask(`${what.charAt(0).toUpperCase()}${what.slice(1)} (it is not shown): `);
  try {
    return (await prompt.question('')).trim();
  } finally {
    prompt.close();
    ask('\n');
  }
}
