import { z } from 'zod';
import { PilothouseError } from '../../../protocol/errors.ts';

/** Between records, and between the fields of one: no terminal shows them (ASCII 30 and 31). */
const RECORD = '\u001e';
const FIELD = '\u001f';

/**
 * The whole of what iTerm2 is ever told, on the standard input of `osascript -`. It is constant:
 * whatever is said by others comes as arguments, which AppleScript takes as text alone.
 */
export const ITERM2_SCRIPT = `on run argv
  set verb to item 1 of argv
  set r to character id 30
  set f to character id 31
  if application "iTerm2" is not running then error "iTerm2 is not running" number -600
  tell application "iTerm2"
    if verb is "list" then
      set listed to ""
      repeat with w in windows
        repeat with t in tabs of w
          repeat with s in sessions of t
            set listed to listed & (id of s) & f & (tty of s) & f & (columns of s) & f & (rows of s) & f & (name of s) & r
          end repeat
        end repeat
      end repeat
      return listed
    end if
    if verb is "version" then return version
    set wanted to item 2 of argv
    repeat with w in windows
      repeat with t in tabs of w
        repeat with s in sessions of t
          if (id of s) is wanted then
            if verb is "read" then return contents of s
            if verb is "write" then
              tell s to write text (item 3 of argv) newline NO
              return "written"
            end if
            if verb is "close" then
              close s
              return "closed"
            end if
          end if
        end repeat
      end repeat
    end repeat
  end tell
  error "no such session" number -1728
end run
`;

export type ITermVerb = 'list' | 'version' | 'read' | 'write' | 'close';

const row = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  tty: z.string(),
  columns: z.coerce.number(),
  rows: z.coerce.number(),
  name: z.string(),
});
export type ITermSession = z.infer<typeof row>;

/** Parses what `list` gives. A record of another form is left out. */
export function parseSessions(output: string): ITermSession[] {
  return output.split(RECORD).flatMap((record) => {
    const [id, tty, columns, rows, ...name] = record.replace(/^\n/, '').split(FIELD);
    const parsed = row.safeParse({ id, tty, columns, rows, name: name.join(' ') });
    return parsed.success ? [parsed.data] : [];
  });
}

/** What `osascript` says on its standard error, as the error that it means. Pure. */
export function errorOf(problem: string): PilothouseError {
  // AppleScript's numbers: no such object, not running, not allowed to be controlled.
  if (/\(-1728\)\s*$/.test(problem)) return new PilothouseError('terminal_gone');
  const detail = /\(-1743\)\s*$/.test(problem)
    ? 'macOS does not allow the runner to control iTerm2: System Settings, Privacy & Security, Automation'
    : problem.trim().slice(0, 300);
  const code = /\((-600|-1743)\)\s*$/.test(problem) ? 'terminal_unavailable' : 'terminal_failed';
  return new PilothouseError(code, { detail });
}
