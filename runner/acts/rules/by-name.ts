import { basename } from 'node:path';
import { parseOptions, words } from '../arguments.ts';
import { ownEntry } from '../own.ts';
import { type Argument, type Finding, NOTHING } from '../types.ts';

/** Runners of tasks that are defined in a file out of sight, and how the task's name is found. */
const TASK_RUNNERS: Readonly<Record<string, 'first' | 'afterRun' | 'either'>> = {
  make: 'first',
  gmake: 'first',
  just: 'first',
  task: 'first',
  rake: 'first',
  npm: 'afterRun',
  bun: 'afterRun',
  pnpm: 'either',
  yarn: 'either',
};

const INTERPRETERS = new Set([
  'node',
  'python',
  'python3',
  'ruby',
  'perl',
  'bash',
  'sh',
  'zsh',
  'source',
  '.',
  'deno',
  'tsx',
]);

/** Words by which people name what ships their work. */
const MEANING: Readonly<Record<string, Finding['kind']>> = {
  deploy: 'deploy',
  publish: 'publish',
  release: 'publish',
  ship: 'deploy',
  migrate: 'migration',
};

/**
 * What is in a script or a task cannot be seen here. When its very name says that it deploys or
 * publishes, that is an act, uncertain; any other name says nothing.
 */
export function findByName(program: string, args: readonly Argument[]): readonly Finding[] {
  const name = nameOf(program, args);
  if (name === null) return NOTHING;
  const kind = basename(name)
    .toLowerCase()
    .replace(/\.[a-z]+$/, '')
    .split(/[^a-z]+/)
    .map((word) => ownEntry(MEANING, word))
    .find(Boolean);
  return kind ? [{ kind, target: name, uncertain: true }] : NOTHING;
}

function nameOf(program: string, args: readonly Argument[]): string | null {
  const given = words(parseOptions(args, ['-C', '-f', '--prefix', '--filter', '--dir', '--cwd']));
  switch (ownEntry(TASK_RUNNERS, program)) {
    case 'first':
      return given[0] ?? null;
    case 'afterRun':
      return given[0] === 'run' || given[0] === 'run-script' ? (given[1] ?? null) : null;
    case 'either':
      return (given[0] === 'run' ? given[1] : given[0]) ?? null;
    case undefined:
      if (INTERPRETERS.has(program)) return given[0] ?? null;
      return program.includes('/') || /\.(sh|bash|zsh|py|js|ts|rb)$/.test(program) ? program : null;
    default:
      return null;
  }
}
