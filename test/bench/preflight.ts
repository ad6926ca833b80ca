/**
 * `npm run bench:preflight [rounds]`: how long the look before a launch takes for each real engine,
 * beside the same program's bare `--version` in the same run: cold, when the files of its package
 * are out of the page cache, and warm. The engines are those that the tests install.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PREFLIGHT_WITHIN_MS } from '../../runner/engines/executable.ts';
import { findEngine, probeEngine } from '../../runner/engines/registry.ts';
import { type EngineName, installEngine } from '../../tools/engines/install.ts';

const ROUNDS = Number(process.argv[2] ?? 20);
const NAMES = ['claude', 'codex', 'gemini', 'opencode'] as const satisfies readonly EngineName[];

const home = mkdtempSync(join(tmpdir(), 'pilothouse-bench-preflight-'));
for (const own of ['.codex', '.gemini', '.claude']) mkdirSync(join(home, own));

/** Takes a package out of the page cache, file by file: nothing else on the machine is slowed. */
function chill(packageDirectory: string): void {
  const files = readdirSync(packageDirectory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files)
    spawnSync('dd', [`if=${file}`, 'iflag=nocache', 'count=0', 'status=none']);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function timeOf(work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

async function measure(name: (typeof NAMES)[number]): Promise<number> {
  const executable = installEngine(name);
  const packages = executable.slice(
    0,
    executable.lastIndexOf('node_modules') + 'node_modules'.length,
  );
  const env = {
    HOME: home,
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    [`PILOTHOUSE_${name.toUpperCase()}`]: executable,
  };
  const engine = findEngine(name);
  if (!engine) throw new Error(`there is no engine ${name}`);
  const bare = () => spawnSync(executable, ['--version'], { env });
  const look = async () => {
    const { version } = await probeEngine(engine, env);
    if (version === null) throw new Error(`${name} was not looked at`);
  };
  chill(packages);
  const coldBare = await timeOf(bare);
  chill(packages);
  const cold = await timeOf(look);
  const bares: number[] = [];
  const looks: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bares.push(await timeOf(bare));
    looks.push(await timeOf(look));
  }
  const [warm, alone, worst] = [median(looks), median(bares), Math.max(cold, ...looks)];
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  console.log(
    `${name.padEnd(8)}  cold ${ms(cold)}, bare ${ms(coldBare)} (${(cold / coldBare).toFixed(1)} times); warm ${ms(warm)}, bare ${ms(alone)} (${(warm / alone).toFixed(1)} times); longest ${ms(worst)}`,
  );
  return worst;
}

try {
  const worst: number[] = [];
  for (const name of NAMES) worst.push(await measure(name));
  console.log(`Medians of ${ROUNDS}. Nobody is logged in, so that the login is asked for too.`);
  if (Math.max(...worst) > PREFLIGHT_WITHIN_MS) process.exitCode = 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}
