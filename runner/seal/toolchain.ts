import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { isWithin } from '../limits/paths.ts';

/** Directories of the system: always shown, so that nothing below them need be looked at. */
export const SYSTEM_DIRECTORIES = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/opt',
  '/nix',
  '/sys',
] as const;

/**
 * What tools in the home need beside the directory that is on PATH. Nothing that holds logins:
 * not `~/.cargo` (credentials.toml), not `~/.local/share` (keyrings).
 */
const IN_HOME = [
  '.nvm',
  '.pyenv',
  '.rbenv',
  '.asdf',
  '.volta',
  '.bun',
  '.deno',
  '.sdkman',
  '.rustup',
  '.cargo/bin',
  '.cargo/env',
  '.local/bin',
  '.local/lib',
  '.local/pipx',
  '.local/share/pipx',
  '.local/share/uv',
  '.local/share/mise',
  '.local/share/fnm',
  '.local/share/pnpm',
  '.local/share/claude/versions',
  'go/bin',
] as const;

/** What a directory of the file system is: asked of it, so that the choice stays pure. */
export type Ground = {
  home: string;
  exists(path: string): boolean;
  /** Without symbolic links; the path itself where there is nothing. */
  real(path: string): string;
  /** Places that must not be seen, nor anything that they lie in. */
  hidden: readonly string[];
};

/**
 * The directories that hold the machine's tools outside of the system's own: those on PATH with
 * what belongs to them, and where `programs` are installed.
 */
export function toolchainOf(path: string, programs: readonly string[], ground: Ground): string[] {
  const onPath = path.split(delimiter).filter((entry) => isAbsolute(entry));
  const known = IN_HOME.map((name) => join(ground.home, name));
  const wanted = [
    ...known,
    ...onPath.flatMap((entry) => [entry, ground.real(entry)]).flatMap(installationsOf),
    ...programs.flatMap((program) => [
      program,
      dirname(program),
      ground.real(program),
      ...installationsOf(dirname(ground.real(program))),
    ]),
  ];
  const shown = wanted.filter(
    (place) =>
      ground.exists(place) &&
      !SYSTEM_DIRECTORIES.some((system) => isWithin(system, place)) &&
      !ground.hidden.some(
        (secret) => isWithin(place, ground.real(secret)) || isWithin(place, secret),
      ),
  );
  return outermost(shown);
}

/** A directory of executables, and what it needs: the packages around it, or its neighbour `lib`. */
function installationsOf(directory: string): string[] {
  const parts = directory.split(sep);
  const packages = parts.indexOf('node_modules');
  if (packages > 0) return [parts.slice(0, packages + 1).join(sep)];
  if (basename(directory) !== 'bin') return [directory];
  return [
    directory,
    ...['lib', 'libexec', 'share/node'].map((name) => join(dirname(directory), name)),
  ];
}

/** Each place once, and none that lies in another. */
export function outermost(places: readonly string[]): string[] {
  const sorted = [...new Set(places)].toSorted();
  return sorted.filter(
    (place) => !sorted.some((other) => other !== place && isWithin(other, place)),
  );
}
