/** What the command line is called in every sentence of ours, wherever the sentence is written. */
export const COMMAND = 'pilothouse';
/** The header by which the Worker tells how its commands are run on the machine it runs on. */
export const COMMAND_HEADER = 'x-pilothouse-command';

/** A command where sentences and help texts put one: in backticks, first in its line, after a colon or a gap. */
const NAMED = /(?<=^[ ]*|`|: | {2}|\$\()pilothouse(?= [a-z-])/gm;

/**
 * A sentence with each command of ours as it can be typed here, `npx pilothouse link` for example.
 * Applied where a text is shown, because only there is it known where "here" is. Twice is as once.
 */
export function nameCommands(text: string, commandName: string): string {
  return commandName === COMMAND ? text : text.replace(NAMED, () => commandName);
}
