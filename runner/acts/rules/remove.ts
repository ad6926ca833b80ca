import { has, parseOptions, placesOfFind } from '../arguments.ts';
import { type Argument, type Finding, NOTHING, type Rule } from '../types.ts';
import { always } from './verbs.ts';

/** Directories that everybody fills with what nobody misses. */
const SCRATCH = /^\/(private\/)?(tmp|var\/tmp)\/[^/]/;

/** Recursive removal of what lies outside the working directory, or is the working directory. */
const rm: Rule = (args, { outside }) => {
  const options = parseOptions(args);
  if (!has(options, '-r', '-R', '--recursive') || has(options, '--help')) return NOTHING;
  const targets = options.operands.filter((operand) => outside || reachesOut(operand));
  if (targets.length === 0) return NOTHING;
  return [{ kind: 'remove', target: targets.map(({ text }) => text).join(' ') }];
};

/** Whether a path lies outside of the working directory, or is all of it. */
export function reachesOut({ text, certain }: Argument): boolean {
  const path = text.replace(/\/+$/, '') || '/';
  if (!certain && path.startsWith('$')) return true;
  if (path.startsWith('/')) return !isScratch(path);
  if (
    path === '~' ||
    path.startsWith('~/') ||
    path === '.' ||
    path === './' ||
    path === '*' ||
    path === './*'
  )
    return true;
  return path === '.git' || path === './.git' || leavesDirectory(path);
}

/** Among temporary files, which nobody misses. */
export const isScratch = (path: string): boolean =>
  SCRATCH.test(path) && !path.split('/').includes('..');

function leavesDirectory(path: string): boolean {
  let depth = 0;
  for (const part of path.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '.' && part !== '') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

/** Programs that remove what they are given, recursive without being asked. */
const rimraf: Rule = (args, { outside }) => {
  const targets = parseOptions(args).operands.filter((operand) => outside || reachesOut(operand));
  const names = targets.map(({ text }) => text).join(' ');
  return targets.length > 0 ? [{ kind: 'remove', target: names }] : NOTHING;
};

/** `find DIR … -delete`. */
const find: Rule = (args) => {
  if (!args.some(({ text }) => text === '-delete')) return NOTHING;
  const away = placesOfFind(args).filter((place) => reachesOut(place) && place.text !== '.');
  return away.length > 0
    ? [{ kind: 'remove', target: away.map(({ text }) => text).join(' ') }]
    : NOTHING;
};

/** `git clean -fdx`: all that git does not hold, `.env` and the like among it; in a part of it, less. */
const git: Rule = (args, surroundings) => {
  const at = args.findIndex(({ text }) => text === 'clean');
  const before = args.slice(0, Math.max(at, 0));
  if (at < 0 || parseOptions(before, ['-C', '-c', '--git-dir', '--work-tree']).operands.length > 0)
    return worktree(args, surroundings);
  const options = parseOptions(args.slice(at + 1), ['-e', '--exclude']);
  if (!has(options, '-f', '--force') || has(options, '-n', '--dry-run', '-h', '--help'))
    return NOTHING;
  const all = options.operands.length === 0 && has(options, '-d', '-x', '-X');
  const away = options.operands.filter((each) => surroundings.outside || reachesOut(each));
  if (!all && away.length === 0) return NOTHING;
  return [{ kind: 'remove', target: away.map(({ text }) => text).join(' ') || 'untracked files' }];
};

/** A linked working tree, with what is in no commit there. */
const worktree: Rule = (args) => {
  const options = parseOptions(args, ['-C', '-c']);
  const [noun, verb, target = null] = options.operands.map(({ text }) => text);
  return noun === 'worktree' && verb === 'remove' && has(options, '-f', '--force')
    ? [{ kind: 'remove', target }]
    : NOTHING;
};

/** Volumes hold what containers keep: databases, uploads. */
const docker: Rule = (args) => {
  const options = parseOptions(args, ['-f', '--file', '-p', '--project-name', '--context']);
  const [noun = '', verb = '', ...rest] = options.operands.map(({ text }) => text);
  const target = rest.join(' ') || `${noun} ${verb}`;
  const volumes = has(options, '-v', '--volumes');
  const all: readonly Finding[] = [{ kind: 'remove', target }];
  if (noun === 'volume' && ['rm', 'remove', 'prune'].includes(verb)) return all;
  if (noun === 'system' && verb === 'prune' && volumes) return all;
  return noun === 'compose' && (verb === 'down' || verb === 'rm') && volumes ? all : NOTHING;
};

/** Overwrites a device. */
const dd: Rule = (args) => {
  const target = args.find(
    ({ text }) =>
      text.startsWith('of=/dev/') && !/^of=\/dev\/(null|stdout|stderr|zero)$/.test(text),
  );
  return target ? [{ kind: 'remove', target: target.text.slice(3) }] : NOTHING;
};

/** Programs that take away whole directories, or the disk they are on. */
export const REMOVE_RULES: Readonly<Record<string, Rule | undefined>> = {
  rm,
  git,
  docker,
  podman: docker,
  nerdctl: docker,
  'docker-compose': (args, surroundings) =>
    docker([{ text: 'compose', certain: true }, ...args], surroundings),
  shred: rimraf,
  find,
  dd,
  mkfs: always('remove', false),
  'mkfs.ext4': always('remove', false),
  wipefs: always('remove', false),
  rimraf,
  'del-cli': rimraf,
  'trash-put': rimraf,
};
