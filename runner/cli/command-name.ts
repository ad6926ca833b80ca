import { COMMAND, nameCommands } from '../../protocol/command-name.ts';

/** How commands are run on this machine, as the bootstrap found it out. */
export function commandNameOf(env: NodeJS.ProcessEnv): string {
  return env['PILOTHOUSE_COMMAND'] || COMMAND;
}

/** A text for this terminal, with each command as it can be typed in it. */
export function nameHere(text: string): string {
  return nameCommands(text, commandNameOf(process.env));
}
