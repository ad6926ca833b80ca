import type { ShellKind } from '../look/front.ts';

/** Private to terminals that know it, and ignored by the others (xterm, OSC). */
const CODE = 7777;

/** What a running command writes where it begins and ends, around all that it prints. */
export const beginMark = (id: string): string => `\x1b]${CODE};${id};S\x07`;
/** Followed by the exit code and a bell. */
export const endMark = (id: string): string => `\x1b]${CODE};${id};E;`;

/** Keeps the exit code `$3` in the directory `$1`, whole or not at all, then marks the end. */
const KEEP = `echo "$3" >"$1/exit.tmp" && mv -f "$1/exit.tmp" "$1/exit"
printf '\\033]${CODE};%s;E;%s\\007' "$2" "$3"`;

/**
 * The first program of a window of its own: runs the file in the directory `$1` in the shell `$3`
 * and holds the window until it is closed, half an hour at most. Interrupts are for the command.
 */
export const WINDOW_SCRIPT = `trap : INT QUIT
printf '\\033]${CODE};%s;S\\007' "$2"
"$3" "$1/command"
set -- "$1" "$2" "$?"
${KEEP}
exec sleep 1800`;

/** In a process of its own, so that no variable is left in the person's shell; ends as the command did. */
const END_SCRIPT = `${KEEP}
exit "$3"`;

/** How each shell reads a file into itself, past whatever the person has called by that name. */
const SOURCE: Readonly<Record<ShellKind, string>> = {
  bash: 'command .',
  dash: 'command .',
  zsh: 'builtin .',
  fish: 'builtin source',
};

/** What the person's own shell sources: the command between its marks. */
export function sourcedScript(shell: ShellKind, directory: string, id: string): string {
  const status = shell === 'fish' ? '$status' : '"$?"';
  return [
    `command printf '\\033]${CODE};%s;S\\007' '${id}'`,
    `${SOURCE[shell]} '${directory}/command'`,
    // Nothing follows that reads the directory: it is removed once the end is seen.
    `command /bin/sh -c ${quote(END_SCRIPT)} sh '${directory}' '${id}' ${status}`,
    '',
  ].join('\n');
}

/** The script has no single quotes but those of its format; fish reads `\\` inside of them as one. */
const quote = (script: string): string => `"${script.replaceAll(/[\\"$]/g, '\\$&')}"`;

/** The one line that is typed. Its space keeps it out of a history that is kept so. */
export const sourceLine = (shell: ShellKind, directory: string): string =>
  ` ${shell === 'fish' ? 'source' : '.'} '${directory}/run'`;
