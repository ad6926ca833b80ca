import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configText } from '../guard/config-text.ts';
import type { SealPlaces } from './places.ts';

const CONNECT = new URL('./gate-connect.ts', import.meta.url);
const ASK = new URL('./gate-ask.ts', import.meta.url);

/** What a session's git includes: where its only remote is now. */
export const gateConfigOf = ({ gate }: Pick<SealPlaces, 'gate'>): string => join(gate, 'config');

/** The program that asks the gate for a pull request, as `gh pr create` would be called. */
export const askProgramOf = ({ gate }: Pick<SealPlaces, 'gate'>): string => join(gate, 'ask');

/**
 * Writes where the gate is, in a file of the runner's that the checkout's configuration includes:
 * the gate may have another port after a restart, and the runner writes nothing into a checkout
 * that a session has had. git reaches it through a program that knows what to say when it is closed.
 */
export function writeGateAddress(places: Pick<SealPlaces, 'gate'>, url: string): void {
  const { gate } = places;
  mkdirSync(gate, { recursive: true, mode: 0o700 });
  const program = join(gate, 'connect');
  putProgram(program, 'mjs', CONNECT);
  putProgram(askProgramOf(places), 'mts', ASK);
  put(join(gate, 'address'), url);
  // git compares with the host and the port of an address (connect.c, git_use_proxy).
  const { host } = new URL(url);
  const text = configText([
    { name: 'remote', subsection: 'origin', values: [['url', url]] },
    { name: 'core', values: [['gitProxy', `${program} for ${host}`]] },
  ]);
  put(gateConfigOf(places), text);
}

function putProgram(program: string, ending: 'mjs' | 'mts', source: URL): void {
  const file = `${program}.${ending}`;
  put(file, readFileSync(source, 'utf8'));
  const line = `exec ${quoted(process.execPath)} ${quoted(file)} "$@"`;
  put(program, `#!/bin/sh\n${line}\n`, 0o700);
}

/** Whole or not at all: a push may be reading it. */
function put(path: string, text: string, mode = 0o600): void {
  writeFileSync(`${path}.new`, text, { mode });
  chmodSync(`${path}.new`, mode);
  renameSync(`${path}.new`, path);
}

/** One word of a POSIX shell. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
