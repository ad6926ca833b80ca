import { shellWord } from '../../protocol/shell-word.ts';
import type { Argument } from './types.ts';

const VALUED = ['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path'];

/** The command that a git command runs for each commit or submodule; null where it runs none. */
export function commandOfGit(args: readonly Argument[]): Argument | null {
  const [subcommand, ...rest] = afterOptions(args, VALUED);
  switch (subcommand?.text) {
    case 'rebase':
      return joined(
        rest.flatMap((arg, index) => execOf(arg, rest[index - 1])),
        '; ',
      );
    case 'bisect':
      return rest[0]?.text === 'run' ? joined(rest.slice(1).map(quoted), ' ') : null;
    case 'submodule': {
      const [verb, ...each] = afterOptions(rest);
      return verb?.text === 'foreach' ? forEachOf(afterOptions(each)) : null;
    }
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
const forEachOf = (args: readonly Argument[]): Argument | null =>
  joined(args.length === 1 ? args : args.map(quoted), ' ');

function afterOptions(
  args: readonly Argument[],
  valued: readonly string[] = [],
): readonly Argument[] {
  let at = 0;
  while (args[at]?.text.startsWith('-')) at += valued.includes(args[at]?.text ?? '') ? 2 : 1;
  return args.slice(at);
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
  text: shellWord(arg.text),
});
