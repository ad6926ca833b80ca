import { styleText } from 'node:util';
import { PilothouseError } from '../../protocol/errors.ts';
import { Failure, messageOf } from '../failure.ts';
import { nameHere } from './command-name.ts';

export type Style = 'dim' | 'bold' | 'red' | 'green' | 'yellow' | 'cyan';
/** Colours a text, or leaves it as it is where colours are not wanted. */
export type Paint = (style: Style, text: string) => string;

/**
 * Colours for a stream. None for a pipe or a file, and none where `NO_COLOR` is set
 * (no-color.org); Node decides, `FORCE_COLOR` included.
 */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  return (style, text) => styleText(style, text, { stream, validateStream: true });
}

/** Prints a command's result: the value as JSON, or what a person reads. */
export function print(json: boolean | undefined, value: unknown, text: () => string): void {
  if (json) process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  else say(`${text()}\n`);
}

/** Writes what a person reads: here alone each command in it gets the name that it has here. */
export function say(text: string): void {
  process.stdout.write(nameHere(text));
}

/** The same beside a result: questions, and what is on its way. */
export function note(text: string): void {
  process.stderr.write(nameHere(text));
}

/**
 * Prints why a command failed. With `--json` it is an object on standard output, so that a
 * program reads one stream whatever happens; otherwise a sentence on standard error.
 */
export function printFailure(json: boolean, error: unknown): void {
  if (json) {
    const code = isExpected(error) ? error.code : 'internal';
    process.stdout.write(
      `${JSON.stringify({ error: { code, message: nameHere(messageOf(error)) } }, null, 2)}\n`,
    );
    return;
  }
  const paint = paintFor(process.stderr);
  note(`${paint('red', isExpected(error) ? error.message : unexpected(error))}\n`);
}

function isExpected(error: unknown): error is Failure | PilothouseError {
  return error instanceof Failure || error instanceof PilothouseError;
}

/** A fault of ours keeps its stack: it is the one thing that helps whoever looks into it. */
function unexpected(error: unknown): string {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `Pilothouse failed in a way it does not know; please report this.\n${detail}`;
}

/** A failure that was already told, in the command's own output: only its exit code is left. */
export class QuietFailure extends Failure {}
