import type { Command } from 'commander';
import { EXIT, Failure } from '../failure.ts';
import { askLine } from './ask-yes.ts';
import { plainText } from './format.ts';
import { note } from './output.ts';

/** Gives a command that cannot be undone the option that stands for typing the name. */
export const withYes = (command: Command): Command =>
  command.option('--yes', 'do it without asking for the name');

/**
 * Has a person at a terminal type the name of what goes, and a program say `--yes`. `loss` is what it
 * means, in a sentence. Throws a `Failure` where neither is given, with nothing done.
 */
export async function confirmByName(
  loss: string,
  name: string,
  yes: boolean | undefined,
  isAsked: boolean = process.stdin.isTTY,
  ask: typeof askLine = askLine,
): Promise<void> {
  if (yes) return;
  const told = plainText(name);
  if (!isAsked)
    throw new Failure(
      EXIT.usage,
      'not_confirmed',
      `${loss} That cannot be undone, so nothing was done. Say --yes to do it.`,
    );
  note(`${loss} That cannot be undone.\n`);
  if ((await ask(`Type ${told} to do it:`)).trim() === told.trim()) return;
  throw new Failure(EXIT.refused, 'not_confirmed', 'The name was not typed. Nothing was done.');
}
