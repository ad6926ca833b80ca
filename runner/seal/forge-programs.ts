import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { quoteText } from '../../protocol/shell-word.ts';
import { askProgramOf } from './gate-address.ts';
import type { SealPlaces } from './places.ts';
import { put } from './put-program.ts';

/** Command lines of forges: none has a login in a session without power. */
export const FORGE_PROGRAMS = ['gh', 'glab', 'hub'] as const;

/** What of `gh pr` the gate is asked for. */
const ASKED = ['create', 'new', 'edit', 'comment', 'view', 'list', 'ls', 'status', 'checks'];

const WHAT_TO_DO = {
  gh: 'Push a branch of your own (git push origin HEAD:NAME) and open its pull request with gh pr create --title TITLE --body TEXT; gh pr view, list, status, checks, edit and comment work too, and a person does all else.',
  other:
    'Push a branch of your own (git push origin HEAD:NAME) and name it to the person: the gate opens pull requests on GitHub and GitHub Enterprise alone, with gh pr create, and nothing on another forge.',
  alone: 'Tell the person what is to be done there.',
} as const;
const MERGES =
  'pr merge and pr close are not done here. Where the policy of this session lets it merge, push the commits to the branch that they are for (git push origin HEAD:BRANCH), which is judged, and the forge closes the pull request; else tell the person.';

/**
 * Puts programs of the runner's before the command lines of forges, which say at once what to do
 * instead of failing at a login; help and version are still the real program's. What `gh pr` is asked
 * for that the gate knows goes there, where there is one. Returns PATH.
 */
export function putForgePrograms(
  { programs, gate }: Pick<SealPlaces, 'programs' | 'gate'>,
  path: string,
  gated: boolean,
): string {
  mkdirSync(programs, { recursive: true, mode: 0o700 });
  for (const name of FORGE_PROGRAMS) {
    const file = join(programs, name);
    const ask = gated && name === 'gh' ? askProgramOf({ gate }) : null;
    const whatToDo = WHAT_TO_DO[gated ? (name === 'gh' ? 'gh' : 'other') : 'alone'];
    put(file, scriptOf(name, whatToDo, ask), 0o500);
  }
  return [programs, path].filter((part) => part !== '').join(delimiter);
}

/** In plain sh, for any shell and any machine; words of ours alone stand in it. */
const scriptOf = (name: string, whatToDo: string, ask: string | null): string => `#!/bin/sh
last=
for last do :; done
case "\${1-}:$last" in
  :*|--version:*|version:*|--help:*|-h:*|help:*|*:--help)
    ${runNext(name)}
    echo "${name} is not on this machine."
    exit 0;;
esac
${ask === null ? '' : askLines(ask)}echo "${name}: this session has no login for a forge. ${whatToDo}" >&2
exit 1
`;

/**
 * Becomes the program of this name that PATH has after this one; goes on where there is none. What
 * stands before it may be another of ours, of a session around this one, which would come back here.
 */
export const runNext = (name: string): string => `own=\${0%/*}
rest=:$PATH:
case $rest in *":$own:"*) rest=\${rest#*":$own:"};; *) rest=$PATH;; esac
IFS=:
for place in $rest; do
  [ "$place" = "$own" ] || [ ! -x "$place/${name}" ] || exec "$place/${name}" "$@"
done`;

const askLines = (ask: string): string => `case "\${1-} \${2-}" in
  ${ASKED.map((verb) => `"pr ${verb}"`).join('|')}) shift; exec ${quoteText(ask)} "$@";;
  "pr merge"|"pr close") echo ${quoteText(`gh: ${MERGES}`)} >&2; exit 1;;
esac
`;
