// Runs on whatever Node the machine has, from 20 on: plain JavaScript, no dependency.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const TOP = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const STAMP = join(TOP, 'node_modules', '.pilothouse-install');
const MIN_NODE = 20;

/** Node 24 as installed by the lockfile, whatever Node runs this script. */
export const NODE = join(TOP, 'node_modules', '.bin', 'node');

/**
 * Says why this machine cannot run Pilothouse, or returns null when it can.
 * @param {string} platform as `process.platform`
 * @param {string} version as `process.versions.node`
 */
export function refusalOf(platform, version) {
  if (platform === 'win32') {
    return 'Pilothouse does not run on Windows itself. Install WSL2 (`wsl --install`), then run the same command inside it.';
  }
  if (Number.parseInt(version, 10) < MIN_NODE) {
    return `Pilothouse needs Node ${MIN_NODE} or newer to start; this is ${version}. Install a newer Node, then run the same command again.`;
  }
  return null;
}

/** Hash of what decides the contents of node_modules. */
export function stampOf() {
  const lock = readFileSync(join(TOP, 'package-lock.json'));
  return createHash('sha256')
    .update(lock)
    .update(process.platform)
    .update(process.arch)
    .digest('hex');
}

/** Whether node_modules is there and is what the lockfile says. */
export function isInstalled() {
  return existsSync(NODE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stampOf();
}

/**
 * Installs exactly what the lockfile says, when it is not there yet. Exits the process with a
 * sentence when the machine cannot run Pilothouse or npm fails.
 */
export function ensureInstalled() {
  const refusal = refusalOf(process.platform, process.versions.node);
  if (refusal) exitWith(refusal);
  if (isInstalled()) return;
  console.log('Installing what Pilothouse needs, exactly as its lockfile says (a minute or two)…');
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: TOP,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (result.error)
    exitWith(
      `npm could not be started (${result.error.message}). Install npm, then run the same command again.`,
    );
  if (result.status !== 0) {
    exitWith(
      'npm could not install the packages; its own words are above. Check the network and the disk, then run the same command again.',
    );
  }
  if (!existsSync(NODE)) {
    exitWith(
      'The installation has no Node of its own: its install script was not run. Run `npm ci --foreground-scripts` and look at what it says.',
    );
  }
  writeFileSync(STAMP, stampOf());
}

/** @param {string} sentence */
export function exitWith(sentence) {
  console.error(sentence);
  process.exit(1);
}
