import { COMMAND, nameCommands } from '../../protocol/command-name.ts';

/** How commands are run on this machine, as the bootstrap found it out. */
export function commandNameOf(env: NodeJS.ProcessEnv): string {
  return env['PILOTHOUSE_COMMAND'] || COMMAND;
}

/** After our own name in a text from outside: it is not seen, and keeps that name as it is. */
const KEPT = '\u2060';

const NAME = new RegExp(`${COMMAND}${KEPT}?(?= [a-z-])`, 'g');

/** A text from outside in which no command is named anew, wherever it is shown. Twice is as once. */
export function keepNames(text: string): string {
  return text.replaceAll(NAME, `${COMMAND}${KEPT}`);
}

/** A text for this terminal, with each command of ours as it can be typed in it. */
export function nameHere(text: string): string {
  return nameCommands(text, commandNameOf(process.env)).replaceAll(`${COMMAND}${KEPT}`, COMMAND);
}
