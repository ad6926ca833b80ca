import { has, parseOptions, words } from '../arguments.ts';
import { type Argument, NOTHING, type Rule } from '../types.ts';
import { always } from './verbs.ts';

/** Directories that everybody fills with what nobody misses. */
const SCRATCH = /^\/(private\/)?(tmp|var\/tmp)\/[^/]/;

/** Recursive removal of what lies outside the working directory, or is the working directory. */
const rm: Rule = (args, { outside }) => {
  const options = parseOptions(args);
  if (!has(options, '-r', '-R', '--recursive') || has(options, '--help')) return NOTHING;
  const targets = options.operands.filter((operand) => outside || reachesOut(operand));
  if (targets.length === 0) return NOTHING;
  return [{ kind: 'delete', target: targets.map(({ text }) => text).join(' ') }];
};

function reachesOut({ text, certain }: Argument): boolean {
  const path = text.replace(/\/+$/, '') || '/';
  if (!certain && path.startsWith('$')) return true;
  if (path.startsWith('/')) return !SCRATCH.test(path) || path.split('/').includes('..');
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

function leavesDirectory(path: string): boolean {
  let depth = 0;
  for (const part of path.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '.' && part !== '') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

/** `find DIR … -delete`. */
const find: Rule = (args) => {
  const from = args.find(({ text }) => !text.startsWith('-'));
  const deletes = args.some(({ text }) => text === '-delete');
  return deletes && from && reachesOut(from) && from.text !== '.'
    ? [{ kind: 'delete', target: from.text }]
    : NOTHING;
};

/** Overwrites a device. */
const dd: Rule = (args) => {
  const target = args.find(
    ({ text }) =>
      text.startsWith('of=/dev/') && !/^of=\/dev\/(null|stdout|stderr|zero)$/.test(text),
  );
  return target ? [{ kind: 'delete', target: target.text.slice(3) }] : NOTHING;
};

const mysqladmin: Rule = (args) => {
  const [verb, database] = words(parseOptions(args, ['-u', '-h', '-P']));
  return verb === 'drop' ? [{ kind: 'delete', target: database ?? null }] : NOTHING;
};

export const DELETE_RULES: Readonly<Record<string, Rule | undefined>> = {
  rm,
  find,
  dd,
  mkfs: always('delete', false),
  'mkfs.ext4': always('delete', false),
  dropdb: always('delete', false),
  mysqladmin,
};
