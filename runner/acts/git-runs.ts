import type { Argument } from './types.ts';

const VALUED = ['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path'];

/** The command that a git command runs for each commit or submodule; null where it runs none. */
export function commandOfGit(args: readonly Argument[]): Argument | null {
  let at = 0;
  while (args[at]?.text.startsWith('-')) at += VALUED.includes(args[at]?.text ?? '') ? 2 : 1;
  const [subcommand, ...rest] = args.slice(at);
  switch (subcommand?.text) {
    case 'rebase':
      return joined(
        rest.flatMap((arg, index) => execOf(arg, rest[index - 1])),
        '; ',
      );
    case 'bisect':
      return rest[0]?.text === 'run' ? joined(rest.slice(1).map(quoted), ' ') : null;
    case 'submodule':
      return rest[0]?.text === 'foreach' ? forEachOf(rest.slice(1)) : null;
    case 'filter-branch':
      return joined(
        rest.filter((_, index) => /^--.*-filter$/.test(rest[index - 1]?.text ?? '')),
        '; ',
      );
    default:
      return null;
  }
}

function execOf(arg: Argument, before: Argument | undefined): Argument[] {
  if (before?.text === '--exec' || before?.text === '-x') return [arg];
  const [, script] = /^(?:--exec=|-x(?=.))(.+)$/s.exec(arg.text) ?? [];
  return script === undefined ? [] : [{ ...arg, text: script }];
}

/** One argument is a script, several are a command. */
function forEachOf(args: readonly Argument[]): Argument | null {
  const rest = args.slice(args.findIndex(({ text }) => !text.startsWith('-')));
  return joined(rest.length === 1 ? rest : rest.map(quoted), ' ');
}

function joined(parts: readonly Argument[], between: string): Argument | null {
  if (parts.length === 0) return null;
  return {
    text: parts.map(({ text }) => text).join(between),
    certain: parts.every(({ certain }) => certain),
  };
}

const quoted = (arg: Argument): Argument => ({
  ...arg,
  text: /^[\w@%+=:,./-]+$/.test(arg.text) ? arg.text : `'${arg.text.replaceAll("'", `'\\''`)}'`,
});
