import { z } from 'zod';
import { parseOptions } from './arguments.ts';
import { makeTask } from './makefile.ts';
import { ownEntry } from './own.ts';
import type { Reading } from './reading.ts';
import { type Argument, certain, showCommand } from './types.ts';

/** A task of a file: where that lies, and how its script is found in it. */
export type Task = {
  /** The directory that the task runs in, from where the command does. */
  directory: Argument;
  /** Names of the file, of which the first that is there counts. */
  files: readonly string[];
  /**
   * The script of the task for a shell; null where the file does not say it. `open`: what another
   * file holds that this one takes in, by its path from the directory; null where it is not there.
   */
  find(text: string, reading: Reading, open: (path: string) => string | null): string | null;
};

const packageJson = z.object({ scripts: z.record(z.string(), z.string()).optional() });
const SHORT: Readonly<Record<string, string>> = {
  test: 'test',
  t: 'test',
  tst: 'test',
  start: 'start',
  stop: 'stop',
  restart: 'restart',
};
/** What the package managers do under these names is their own, whatever a package calls its scripts. */
const BUILT_IN =
  /^(?:add|install|i|ci|remove|rm|up|upgrade|update|init|create|exec|x|dlx|publish|pack|link|list|ls|why|config|cache|login|info|audit|dedupe|set|version|help|npm|workspaces?|build)$/;
const VALUED = ['-C', '--prefix', '--dir', '--cwd', '--filter', '-w', '--workspace', '-F'];

/** `npm run X`, `npm test`, `yarn X`, `pnpm X`, `bun run X`: a script of a package. */
function packageTask(program: string, args: readonly Argument[]): Task | null {
  const options = parseOptions(args, VALUED);
  const { operands, values } = options;
  // In a workspace it would be the script of another package.
  if (
    ['--filter', '-F', '-w', '--workspace', '-r', '--workspaces'].some((name) =>
      options.flags.has(name),
    )
  )
    return null;
  const [first, second] = operands.map(({ text }) => text);
  if (first === undefined) return null;
  const runs = first === 'run' || first === 'run-script' || first === 'rum';
  const bare =
    program === 'yarn' || program === 'pnpm' ? !BUILT_IN.test(first) && first : undefined;
  const name = runs ? second : (ownEntry(SHORT, first) ?? bare);
  if (!name) return null;
  const rest = operands.slice(runs ? 2 : 1);
  const directory = ['--prefix', '-C', '--dir', '--cwd'].flatMap((each) => values.get(each) ?? []);
  return {
    directory: certain(directory[0] ?? '.'),
    files: ['package.json'],
    find: (text) => scriptOf(text, name, rest),
  };
}

function scriptOf(text: string, name: string, rest: readonly Argument[]): string | null {
  let scripts: Readonly<Record<string, string>>;
  try {
    scripts = packageJson.parse(JSON.parse(text)).scripts ?? {};
  } catch {
    return null;
  }
  const own = ownEntry(scripts, name);
  if (own === undefined) return null;
  const given = rest.length > 0 ? ` ${showCommand(rest)}` : '';
  return [ownEntry(scripts, `pre${name}`), `${own}${given}`, ownEntry(scripts, `post${name}`)]
    .filter((each) => each !== undefined)
    .join(' &&\n');
}

/** The task that a command runs; null where it runs none. */
export function taskOf(program: string, args: readonly Argument[]): Task | null {
  switch (program) {
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun':
      return packageTask(program, args);
    case 'make':
    case 'gmake':
      return makeTask(args);
    default:
      return null;
  }
}
