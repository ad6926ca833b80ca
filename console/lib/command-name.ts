import { COMMAND, nameCommands } from '../../protocol/command-name.ts';

let commandName: string = COMMAND;

/** Notes how commands are run where the server is; it says so with every answer, a refusal too. */
export function noteCommandName(told: string | null): void {
  if (told) commandName = told;
}

/** How the program of ours is run where the server is. */
export const commandHere = (): string => commandName;

/** A sentence or a command of ours, as it can be typed where the server is. */
export function nameHere(text: string): string {
  return nameCommands(text, commandName);
}
