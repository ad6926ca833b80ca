/**
 * Runs the fault tests of the Pilot for hundreds of seeds, shared out among processes: one run waits
 * for one Worker, whose only thread is most of what it costs. Exits 1 where any process fails.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

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
  const child = spawn('vitest', ['run', '--project', 'workers', ...files], {
    env,
    stdio: 'inherit',
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

const startedAt = Date.now();
const passed = await Promise.all(Array.from({ length: processes }, (_, index) => runShare(index)));
const failed = passed.filter((each) => !each).length;
const seconds = Math.round((Date.now() - startedAt) / 1_000);
console.log(`${runs} seeds in ${processes} processes: ${failed} failed, ${seconds} s`);
process.exitCode = failed === 0 ? 0 : 1;
