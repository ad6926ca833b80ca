/**
 * Runs the fault tests of the Pilot for hundreds of seeds, shared out among processes: one run waits
 * for one Worker, whose only thread is most of what it costs. Says how far it is, each test that
 * fails as it does, and in the end what all of them said of it. Exits 1 where any process fails.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/** One line in so many tests that pass. */
const EACH = 20;
/** Of what a failed test says, its law first and then what was seen: more is no help to a reader. */
const TOLD_LINES = 400;

const runs = Number(process.env['PILOT_FAULT_RUNS'] ?? 400);
const first = Number(process.env['PILOT_FAULT_SEED'] ?? 1);
const wanted = Number(process.env['PILOT_FAULT_PROCESSES'] ?? Math.min(4, availableParallelism()));
const share = Math.ceil(runs / wanted);
/** None without a seed of its own. */
const processes = Math.ceil(runs / share);

const reports = mkdtempSync(join(tmpdir(), 'pilothouse-pilot-runs-'));

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
  const report = join(reports, `${index}.json`);
  const how = ['--reporter=verbose', '--reporter=json', `--outputFile.json=${report}`];
  // The Worker is killed in mid-write all the time, and its last words on stderr are no fault.
  const child = spawn('vitest', ['run', '--project', 'workers', ...how, ...files], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  createInterface(child.stdout).on('line', (line) => tell(stripVTControlCharacters(line).trim()));
  return new Promise((resolve) => {
    let isOver = false;
    const end = (passed: boolean, why: string) => {
      if (isOver) return;
      isOver = true;
      if (!passed) console.log(`${tellFailed(report)}\nprocess ${index} of ${processes}: ${why}`);
      resolve(passed);
    };
    child.once('error', ({ message }) => end(false, message));
    child.once('close', (code, signal) => end(code === 0, `ended with ${code ?? signal}`));
  });
}

const outcome = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** Each test of a process that failed, with the law that it broke and what was seen. */
function tellFailed(report: string): string {
  if (!existsSync(report)) return 'It ended before it could say what failed.';
  const { testResults } = outcome.parse(JSON.parse(readFileSync(report, 'utf8')));
  return testResults
    .flatMap(({ name, message, assertionResults }) => [
      ...(message ? [`${name}: ${message}`] : []),
      ...assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => {
          const lines = (failureMessages ?? []).join('\n').split('\n');
          return [`× ${fullName}`, ...lines.slice(0, TOLD_LINES)].join('\n  ');
        }),
    ])
    .join('\n');
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
process.once('exit', () => rmSync(reports, { recursive: true, force: true }));
const passed = await Promise.all(Array.from({ length: processes }, (_, index) => runShare(index)));
const failed = passed.filter((each) => !each).length;
const sum = `${runs} seeds of each kind in ${processes} processes, ${done} tests passed`;
console.log(`${sum}: ${failed} processes failed, ${secondsSince(startedAt)} s`);
if (done < runs)
  console.log(`Fewer tests than seeds passed: the seeds that are missing are above.`);
process.exitCode = failed === 0 && done >= runs ? 0 : 1;
