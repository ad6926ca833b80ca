import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { quoteText } from '../../protocol/shell-word.ts';
import { askProgramOf } from './gate-address.ts';
import type { SealPlaces } from './places.ts';

/** Command lines of forges: none has a login in a session without power. */
const PROGRAMS = ['gh', 'glab', 'hub'] as const;

const WHAT_TO_DO = {
  gated:
    'Push a branch of your own (git push origin HEAD:NAME) and open its pull request with gh pr create --title TITLE --body TEXT; a person does all else.',
  alone: 'Tell the person what is to be done there.',
} as const;

/**
 * Puts programs of the runner's before the command lines of forges, which say at once what to do
 * instead of failing at a login; help and version are still the real program's. `gh pr create` asks
 * the gate, where there is one. Returns PATH.
 */
export function putForgePrograms(
  { programs, gate }: Pick<SealPlaces, 'programs' | 'gate'>,
  path: string,
  gated: boolean,
): string {
  mkdirSync(programs, { recursive: true, mode: 0o700 });
  for (const name of PROGRAMS) {
    const file = join(programs, name);
    const ask = gated && name === 'gh' ? askProgramOf({ gate }) : null;
    const whatToDo = WHAT_TO_DO[gated ? 'gated' : 'alone'];
    writeFileSync(file, scriptOf(name, whatToDo, ask), { mode: 0o700 });
    chmodSync(file, 0o500);
  }
  return [programs, path].filter((part) => part !== '').join(delimiter);
}

/** In plain sh, for any shell and any machine; words of ours alone stand in it. */
const scriptOf = (name: string, whatToDo: string, ask: string | null): string => `#!/bin/sh
own=\${0%/*}
last=
for last do :; done
case "\${1-}:$last" in
  :*|--version:*|version:*|--help:*|-h:*|help:*|*:--help)
    IFS=:
    for place in $PATH; do
      [ "$place" = "$own" ] || [ ! -x "$place/${name}" ] || exec "$place/${name}" "$@"
    done
    echo "${name} is not on this machine."
    exit 0;;
esac
${ask === null ? '' : `case "\${1-} \${2-}" in "pr create"|"pr new") shift 2; exec ${quoteText(ask)} "$@";; esac\n`}echo "${name}: this session has no login for a forge. ${whatToDo}" >&2
exit 1
`;
