import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, Failure, systemCodeOf } from '../failure.ts';
import { acquireLock } from './lock.ts';
import { hashSources } from './source-hash.ts';

/** How long one start waits for another that builds the same sources. */
const BUILD_WAIT_MS = 120_000;

/** A thing that is built: from which sources, by which command, into which directory of `dist`. */
export type BuildPart = {
  name: string;
  sources: readonly string[];
  /** The command's arguments after Node, given the empty directory to build into. */
  command(output: string): readonly string[];
};

export const WORKER_PART: BuildPart = {
  name: 'worker',
  sources: [
    'workers',
    'protocol',
    'migrations',
    'wrangler.toml',
    'package-lock.json',
    'runner/host/bundle-worker.ts',
  ],
  command: (output) => ['runner/host/bundle-worker.ts', output],
};

export const CONSOLE_PART: BuildPart = {
  name: 'console',
  sources: ['console', 'protocol', 'package-lock.json'],
  command: (output) => [
    'node_modules/vite/bin/vite.js',
    'build',
    '--config=console/vite.config.ts',
    '--logLevel=error',
    '--emptyOutDir',
    `--outDir=${output}`,
  ],
};

/** Where a part's output is found once it is built. */
export function outputOf(root: string, part: BuildPart): string {
  return join(root, 'dist', part.name);
}

/** The parts whose output is missing or was built from other sources. */
export function listStaleParts(root: string, parts: readonly BuildPart[]): BuildPart[] {
  return parts.filter((part) => readStamp(root, part) !== hashSources(root, part.sources));
}

/**
 * Builds what is stale, all parts at once, each in a process of its own so that no build tool is
 * ever loaded into the host. Output appears whole or not at all. Only one start builds at a time.
 */
export async function buildParts(root: string, parts: readonly BuildPart[]): Promise<void> {
  const dist = join(root, 'dist');
  mkdirSync(dist, { recursive: true });
  const lock = acquireLock(join(dist, 'build.lock'), BUILD_WAIT_MS);
  if (!lock) {
    throw new Failure(
      EXIT.failed,
      'build_locked',
      'Another start has been building for two minutes and did not finish. End it, then start again.',
    );
  }
  try {
    await Promise.all(listStaleParts(root, parts).map((part) => buildPart(root, part)));
  } finally {
    lock.release();
  }
}

async function buildPart(root: string, part: BuildPart): Promise<void> {
  const hash = hashSources(root, part.sources);
  const output = outputOf(root, part);
  const draft = `${output}.new`;
  rmSync(draft, { recursive: true, force: true });
  rmSync(stampOf(root, part), { force: true });
  mkdirSync(draft, { recursive: true });
  await runBuild(root, part, draft);
  rmSync(output, { recursive: true, force: true });
  renameSync(draft, output);
  writeFileSync(stampOf(root, part), hash);
}

async function runBuild(root: string, part: BuildPart, draft: string): Promise<void> {
  const child = spawn(process.execPath, part.command(draft), {
    cwd: root,
    // Whatever the caller's NODE_ENV is: another one bundles the libraries' development builds.
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (exitCode === 0) return;
  throw new Failure(
    EXIT.failed,
    'build_failed',
    `The ${part.name} could not be built, so nothing was started. The build tool said:\n${firstLines(output)}`,
  );
}

function stampOf(root: string, part: BuildPart): string {
  return join(root, 'dist', `${part.name}.stamp`);
}

function readStamp(root: string, part: BuildPart): string | null {
  try {
    return readFileSync(stampOf(root, part), 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The beginning of what a tool said: it names the first fault, and the rest follows from it. */
function firstLines(output: string, count = 15): string {
  const lines = output.trim().split('\n');
  return lines
    .slice(0, count)
    .concat(lines.length > count ? ['…'] : [])
    .join('\n');
}
