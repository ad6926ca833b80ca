/**
 * Runs the fault tests of the Pilot for hundreds of seeds, shared out among processes: one run waits
 * for one Worker, whose only thread is most of what it costs. Says how far it is, each test that
 * fails as it does, and in the end what all of them said of it. Exits 1 where any process fails.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';

/** One line in so many tests that pass. */
const EACH = 20;
/** The Worker is killed in mid-write all the time, and its last words are no fault. */
const NOISE = /^(?:uncaught exception; |stack: |\{"level":"info"|\s*at |\s*$)/;
/** The end of what a process said, where vitest tells what failed and why. */
const KEPT_LINES = 400;

const runs = Number(process.env['PILOT_FAULT_RUNS'] ?? 400);
const first = Number(process.env['PILOT_FAULT_SEED'] ?? 1);
const wanted = Number(process.env['PILOT_FAULT_PROCESSES'] ?? Math.min(4, availableParallelism()));
const share = Math.ceil(runs / wanted);
/** None without a seed of its own. */
const processes = Math.ceil(runs / share);

function runShare(index: number): Promise<boolean> {
  const from = index * share;
  const own = String(Math.max(0, Math.min(share, runs - from)));
  const env = {
    ...process.env,
    PILOT_FAULT_SEED: String(first + from),
    PILOT_FAULT_RUNS: own,
    PILOT_LIVE_RUNS: own,
    PILOT_MUTANTS: `${index}/${processes}`,
  };
  const files = ['test/workers/pilot/faults.test.ts', 'test/workers/pilot/oracle'];
  const child = spawn('vitest', ['run', '--project', 'workers', '--reporter=verbose', ...files], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const kept: string[] = [];
  createInterface(child.stdout).on('line', (line) => {
    if (NOISE.test(line)) return;
    kept.push(line);
    if (kept.length > KEPT_LINES) kept.shift();
    tell(stripVTControlCharacters(line).trim());
  });
  return new Promise((resolve) => {
    let isOver = false;
    const end = (passed: boolean, why: string) => {
      if (isOver) return;
      isOver = true;
      if (!passed) console.log(`${kept.join('\n')}\nprocess ${index} of ${processes}: ${why}`);
      resolve(passed);
    };
    child.once('error', ({ message }) => end(false, message));
    child.once('close', (code, signal) => end(code === 0, `ended with ${code ?? signal}`));
  });
}

let done = 0;
/** Counts a test that passed, and shows one that did not. */
function tell(line: string): void {
  if (line.startsWith('×')) console.log(line);
  if (!line.startsWith('✓')) return;
  done += 1;
  if (done % EACH === 0) console.log(`${done} tests passed, ${secondsSince(startedAt)} s`);
}

const secondsSince = (from: number): number => Math.round((Date.now() - from) / 1_000);
const startedAt = Date.now();
const passed = await Promise.all(Array.from({ length: processes }, (_, index) => runShare(index)));
const failed = passed.filter((each) => !each).length;
const sum = `${runs} seeds of each kind in ${processes} processes, ${done} tests passed`;
console.log(`${sum}: ${failed} processes failed, ${secondsSince(startedAt)} s`);
if (done < runs)
  console.log(`Fewer tests than seeds passed: the seeds that are missing are above.`);
process.exitCode = failed === 0 && done >= runs ? 0 : 1;
