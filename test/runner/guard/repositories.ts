import { terminalLimitsOf } from '../../../runner/limits/terminal.ts';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { rmSync } from 'node:fs';
import { KEPT_MS } from '../../../protocol/retention.ts';
import { sessionId, type SessionId } from '../../../protocol/ids.ts';
import type { LaunchSpecInput } from '../../../protocol/launch.ts';
import type { OwnCheckout } from '../../../runner/guard/checkout.ts';
import { prepareCheckout, type PrepareRequest } from '../../../runner/guard/prepare.ts';
import type { Limits } from '../../../runner/limits.ts';
import { aLaunch } from '../../support/protocol-builders.ts';

const made: string[] = [];
afterAll(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

/** A directory for one test, without links in its path, gone when the file's tests are done. */
export function aDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'guard-')));
  made.push(directory);
  return directory;
}

/** Plain git, as a person types it: none of the runner's hardening, nothing of this machine's settings. */
export function gitIn(directory: string, ...args: string[]): string {
  const kept = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')),
  );
  const env = { ...kept, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', args, {
    cwd: directory,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).replace(/\n$/, '');
}

export function write(directory: string, path: string, text: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), text);
}

/** Writes a file and commits it with everything else; returns the commit. */
export function commit(directory: string, path: string, text: string): string {
  write(directory, path, text);
  gitIn(directory, 'add', '--all');
  gitIn(directory, 'commit', '--quiet', '-m', `Change ${path}`);
  return gitIn(directory, 'rev-parse', 'HEAD');
}

export function emptyRepository(...flags: string[]): string {
  const directory = aDirectory();
  gitIn(directory, 'init', '--quiet', '--initial-branch=main', ...flags);
  gitIn(directory, 'config', 'user.name', 'Ada');
  gitIn(directory, 'config', 'user.email', 'ada@example.com');
  return directory;
}

/** A repository with one commit on main. */
export function aRepository(): string {
  const directory = emptyRepository();
  commit(directory, 'readme.md', 'hello\n');
  return directory;
}

export const SESSION: SessionId = sessionId.parse('ses_one');
export const OTHER_SESSION: SessionId = sessionId.parse('ses_two');

export function limitsFor(...directories: string[]): Limits {
  return {
    source: null,
    configuration: null,
    own: [],
    directories,
    engines: null,
    bypass: false,
    discard: true,
    minimumGrade: 'open',
    usualGrade: null,
    minimumNetwork: 'open',
    usualNetwork: 'open',
    takeover: true,
    preview: true,
    modelGate: true,
    noOutputMaxMs: 86_400_000,
    startMs: 120_000,
    answerMaxMs: 2_592_000_000,
    commands: [],
    secretVariables: [],
    secretPatterns: [],
    repositories: [],
    forges: [],
    kept: { ...KEPT_MS },
    terminal: terminalLimitsOf(undefined, (path) => path),
  };
}

type Wishes = Partial<PrepareRequest> & { spec?: Partial<LaunchSpecInput> };

export function requestFor(directory: string, { spec = {}, ...over }: Wishes = {}): PrepareRequest {
  return {
    sessionId: SESSION,
    title: 'Fix the test',
    launch: aLaunch({ directory, ...spec }),
    root: join(aDirectory(), 'checkouts'),
    limits: limitsFor('/'),
    ...over,
  };
}

/** Prepares a checkout of the session's own, which is what most tests are about. */
export async function ownCheckout(directory: string, wishes: Wishes = {}): Promise<OwnCheckout> {
  const checkout = await prepareCheckout(requestFor(directory, wishes));
  if (checkout.mode !== 'own') throw new Error('expected a checkout of its own');
  return checkout;
}

/** Makes the checkout's git run as an engine's would, and commits a file there. */
export function commitInCheckout(checkout: OwnCheckout, path: string, text: string): string {
  return commit(checkout.top, path, text);
}
