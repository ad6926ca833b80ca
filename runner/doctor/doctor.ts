import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { access, constants, readdir, readFile, stat } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { health } from '../../protocol/http.ts';
import type { DoctorFinding, DoctorReport, EngineReadiness } from '../../protocol/machine.ts';
import { KNOWN } from '../engines/presets.ts';
import { probeEngines } from '../engines/registry.ts';
import { messageOf } from '../failure.ts';
import { measureBytes } from '../guard/measure.ts';
import { readOwnSecrets } from '../guard/own-secrets.ts';
import { readInstance } from '../host/instance.ts';
import { isAlive } from '../host/orphans.ts';
import { decidePackages } from '../host/packages.ts';
import { homeOf } from '../home.ts';
import { dataDirectoryOf, layoutOf } from '../host/layout.ts';
import { findLimitsPath, readLimits } from '../limits.ts';
import { probeSeal } from '../seal/probe.ts';
import { listSetAside } from '../link/set-aside.ts';
import { readFreeBytes } from '../process/free-space.ts';
import {
  checkCheckouts,
  checkDataDirectory,
  checkDisk,
  checkEngines,
  checkLimits,
  checkLink,
  checkRunner,
  checkSeal,
  checkSetAside,
  checkSystem,
  checkWatches,
  type DirectoryFacts,
  type LinkFacts,
} from './checks.ts';
import { lookAtApproved } from '../look-at-presets.ts';
import { examineTerminals } from '../terminal/examine.ts';
import { openTerminals } from '../terminal/registry.ts';
import { findPtyProblem } from '../takeover/pty.ts';
import { checkGit, checkLfs } from './git.ts';
import { checkGate, readGateFacts } from './gate.ts';
import { checkGuard, readGuardFacts } from './guard.ts';
import { checkOwnSecrets } from './secrets.ts';
import { checkTerminal } from './terminal.ts';
import { checkTerminals, type TerminalFacts } from './terminals.ts';

const LINK_TIMEOUT_MS = 3_000;
/** Where Pilothouse itself lies. */
const TOP = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/**
 * Looks at this machine and says what keeps sessions from running here, each finding with the
 * one thing to do. Changes nothing. Also the answer to the command `doctor/run`, where the runner
 * looks at the engines itself and tells what it found.
 */
export async function runDoctor(
  env: NodeJS.ProcessEnv,
  lookAtEngines: () => Promise<readonly EngineReadiness[]> = () => probeEngines(env),
): Promise<DoctorReport> {
  const directory = dataDirectoryOf(undefined, env);
  const layout = layoutOf(directory);
  const packages = decidePackages(
    process.platform,
    await readFile('/etc/os-release', 'utf8').catch(() => ''),
  );
  const findings = await Promise.all([
    askGit('--version').then((output) => checkGit(output, packages)),
    askGit('lfs', 'version').then(checkLfs),
    readDirectoryFacts(directory).then((facts) => checkDataDirectory(directory, facts)),
    readFreeBytes(directory).then((bytes) => checkDisk(bytes, directory)),
    readWatchLimit().then(checkWatches),
    checkOwnLimits(env),
    readLinkFacts(directory, env).then(checkLink),
    readCheckouts(join(layoutOf(directory).runner, 'checkouts')),
    readGateFacts(layout.runner).then((facts) => checkGate(facts, layout.runnerPidFile)),
    readGuardFacts(env).then((facts) => checkGuard(facts, packages)),
    findPtyProblem().then((found) => checkTerminal(found, readTakeover(env), TOP)),
    readTerminals(env, layout.runner).then((facts) => checkTerminals(facts, packages)),
    lookAtEngines().then(checkEngines),
    lookAtApproved(env).then(checkEngines),
    readOwnSecrets(KNOWN.secretFiles(env)).then(({ unread }) => checkOwnSecrets(unread)),
  ]);
  const system = checkSystem(process.platform, release(), process.version);
  return {
    findings: [
      system,
      checkSeal(probeSeal(env, true)),
      checkRunner(isRunnerRunning(directory), layout.runnerLog),
      ...findings.flat(),
      readSetAside(directory),
    ].filter((finding) => finding !== null),
  };
}

/** Whether the runner of the instance here lives; null where there is no instance or it has none. */
function isRunnerRunning(directory: string): boolean | null {
  const { instanceFile, runnerPidFile } = layoutOf(directory);
  const instance = readInstance(instanceFile);
  if (!instance?.runnerId || !isAlive(instance.pid)) return null;
  try {
    return isAlive(Number.parseInt(readFileSync(runnerPidFile, 'utf8'), 10));
  } catch {
    // The file goes with the runner.
    return false;
  }
}

async function askGit(...args: string[]): Promise<string | null> {
  try {
    return (await run('git', args)).stdout;
  } catch {
    return null;
  }
}

async function readDirectoryFacts(directory: string): Promise<DirectoryFacts> {
  try {
    const { mode } = await stat(directory);
    const writable = await access(directory, constants.W_OK).then(
      () => true,
      () => false,
    );
    return { exists: true, writable, mode };
  } catch {
    return { exists: false, writable: false, mode: 0 };
  }
}

async function readWatchLimit(): Promise<number | null> {
  try {
    return Number.parseInt(await readFile('/proc/sys/fs/inotify/max_user_watches', 'utf8'), 10);
  } catch {
    return null;
  }
}

function readTakeover(env: NodeJS.ProcessEnv): boolean | null {
  try {
    return readLimits(findLimitsPath(env)).takeover;
  } catch {
    return null;
  }
}

/** Null where the limits cannot be read, which is a finding of its own. */
async function readTerminals(env: NodeJS.ProcessEnv, root: string): Promise<TerminalFacts | null> {
  const limits = () => readLimits(findLimitsPath(env), homeOf(env)).terminal;
  const terminals = openTerminals(join(root, 'terminal'), env, limits);
  try {
    return await examineTerminals(limits(), terminals);
  } catch {
    return null;
  } finally {
    terminals.tmux.stop();
  }
}

async function checkOwnLimits(env: NodeJS.ProcessEnv): Promise<DoctorFinding> {
  try {
    const { source, secretPatterns } = readLimits(findLimitsPath(env));
    return checkLimits(source, null, { secretPatterns: secretPatterns.length });
  } catch (error) {
    return checkLimits(null, messageOf(error), { path: findLimitsPath(env) });
  }
}

async function readCheckouts(directory: string): Promise<DoctorFinding> {
  // Names that begin with a dot are the runner's own.
  const names = await readdir(directory).catch(() => []);
  const count = names.filter((name) => !name.startsWith('.')).length;
  return checkCheckouts(count, count === 0 ? 0 : await measureBytes(directory), directory);
}

function readSetAside(directory: string): DoctorFinding | null {
  const { runner, runnerPidFile } = layoutOf(directory);
  const aside = join(runner, 'set-aside');
  return checkSetAside(listSetAside(aside).length, aside, runnerPidFile);
}

async function readLinkFacts(directory: string, env: NodeJS.ProcessEnv): Promise<LinkFacts> {
  const named = env['PILOTHOUSE_URL'];
  const url = named || readInstance(layoutOf(directory).instanceFile)?.url;
  if (!url) return { kind: 'none' };
  try {
    const response = await fetch(new URL('/v1/health', url), {
      signal: AbortSignal.timeout(LINK_TIMEOUT_MS),
    });
    return { kind: 'answers', url, version: health.parse(await response.json()).version };
  } catch (error) {
    return { kind: 'silent', url, reason: messageOf(error), ...(named && { named: true }) };
  }
}
