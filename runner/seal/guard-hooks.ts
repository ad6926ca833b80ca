import { delimiter } from 'node:path';
import { quoteText } from '../../protocol/shell-word.ts';
import { runNext } from './forge-programs.ts';

/**
 * Every hook that git calls by a name (githooks(5), git 2.51), those of a server that a test of the
 * session may start too. Without push-to-checkout: that there is one means that git leaves the
 * working tree to it.
 */
export const HOOKS = [
  'applypatch-msg',
  'pre-applypatch',
  'post-applypatch',
  'pre-commit',
  'pre-merge-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'pre-rebase',
  'post-checkout',
  'post-merge',
  'pre-push',
  'reference-transaction',
  'pre-auto-gc',
  'post-rewrite',
  'sendemail-validate',
  'post-index-change',
  'pre-receive',
  'update',
  'proc-receive',
  'post-receive',
  'post-update',
  'p4-changelist',
  'p4-prepare-changelist',
  'p4-post-changelist',
  'p4-pre-submit',
] as const;

/**
 * What is only read by these words of `gh` and `glab` is asked about by nobody, where they follow one
 * of these: what stands behind an option or `api` says nothing of what is done.
 */
const READ_OF = ['pr', 'mr', 'issue', 'release', 'repo', 'run', 'ci', 'workflow', 'gist', 'auth'];
const READS = ['view', 'list', 'ls', 'status', 'checks', 'diff', 'watch', 'download', 'clone'];

/**
 * A variable by which git takes `directory` for the place of its hooks, beside what it holds already:
 * what `git -c` hands on to the programs that it starts (git, config.c: a list in quotes of a shell).
 * One variable, so that a program that drops some of the environment leaves git without a guard, and
 * not without half of a setting, of which git dies.
 */
export function withHooks(before: string | undefined, directory: string): string {
  return [before, entryOf(directory)].filter(Boolean).join(' ');
}

const entryOf = (directory: string): string => quoteText(`core.hooksPath=${directory}`);

/** Where any runner puts the guard of any session, as {@link withHooks} and PATH hold it. */
const HOOKS_OF_A_GUARD = /'core\.hooksPath=(?:[^']|'\\'')*\/seals\/ses_[a-z0-9]+\/guard\/hooks' ?/g;
const PROGRAMS_OF_A_GUARD = /\/seals\/ses_[a-z0-9]+\/guard\/programs\/?$/;

/**
 * An environment without the guards of the sessions around it, of a runner that runs in one: two
 * guards each take the other for the person's own hooks and programs, and call each other for ever.
 */
export function withoutGuards(env: Readonly<Record<string, string>>): Record<string, string> {
  const { GIT_CONFIG_PARAMETERS: settings = '', PATH: path, ...rest } = env;
  const left = settings.replaceAll(HOOKS_OF_A_GUARD, '').trim();
  const places = path?.split(delimiter).filter((place) => !PROGRAMS_OF_A_GUARD.test(place));
  return {
    ...rest,
    ...(left !== '' && { GIT_CONFIG_PARAMETERS: left }),
    ...(places && { PATH: places.join(delimiter) }),
  };
}

/**
 * What stands in the place of one hook: it becomes the repository's own, which git is asked for as if
 * this one were not there. `ask`: the program that is asked before a push; `base`: the variable of
 * {@link withHooks} as the session's process has it.
 */
export function hookScript(name: string, directory: string, ask: string, base: string): string {
  const find = findOwn(directory, base);
  const own = `hook=$hooks/${name}
[ -x "$hook" ] && [ "$hooks" != ${quoteText(directory)} ] || exit 0
`;
  if (name !== 'pre-push') return `#!/bin/sh\n${find}${own}exec "$hook" "$@"\n`;
  return `#!/bin/sh
refs=$(cat; echo .)
refs=\${refs%.}
[ -z "$refs" ] || printf %s "$refs" | ${quoteText(ask)} push "$@" || exit 1
${find}${own}printf %s "$refs" | "$hook" "$@"
`;
}

/**
 * Finds where the repository's own hooks are. Git calls dozens in a rebase and a call of it is most of
 * what each costs, so that a place as it is without any setting is remembered, by a file that is
 * younger than all that could set another: none is kept where configuration is included from elsewhere.
 */
const findOwn = (directory: string, base: string): string => `all=\${GIT_CONFIG_PARAMETERS-}
known=${quoteText(`${directory}-known`)}$PWD
younger() { [ ! -e "$1" ] || [ "$known/plain" -nt "$1" ]; }
usual= hooks=
[ -z "\${GIT_DIR-}\${GIT_CONFIG_COUNT-}\${GIT_CONFIG_GLOBAL-}\${GIT_CONFIG_SYSTEM-}" ] && [ "$all" = ${quoteText(base)} ] && usual=yes
[ "$usual" ] && [ "$known/plain" -nt .git/config ] && younger .git/config.worktree && younger "\${HOME-}/.gitconfig" &&
  younger "\${XDG_CONFIG_HOME:-\${HOME-}/.config}/git/config" && younger /etc/gitconfig && hooks=.git/hooks
if [ -z "$hooks" ]; then
  mine=${quoteText(entryOf(directory))}
  case $all in *"$mine"*) all=\${all%%"$mine"*}\${all#*"$mine"} all=\${all# };; esac
  hooks=$(GIT_CONFIG_PARAMETERS=$all git rev-parse --git-path hooks) || exit 1
  if [ "$usual" ] && [ "$hooks" = .git/hooks ] && ! [ "$known/included" -nt .git/config ]; then
    kind=plain
    ! git config --get-regexp '^include' >/dev/null || kind=included
    mkdir -p "$known" && : >"$known/$kind"
  fi 2>/dev/null
fi
`;

/** What stands before the command line of a forge: it asks, and becomes the real program. */
export function forgeScript(name: string, ask: string): string {
  return `#!/bin/sh
asks=yes
case "\${1-}" in
  ''|--version|--help|version|help|completion) asks=;;
  ${READ_OF.join('|')}) case "\${2-}" in ${READS.join('|')}) asks=;; esac;;
esac
[ -z "$asks" ] || ${quoteText(ask)} forge ${name} "$@" </dev/null || exit 1
${runNext(name)}
echo "${name}: not found" >&2
exit 127
`;
}
