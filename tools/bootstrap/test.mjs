import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NODE, TOP, ensureInstalled, exitWith } from './install.mjs';
import { provision } from './provision.mjs';

/** Test projects in the order in which a fault is cheapest to find. */
const RUNS = [['protocol', 'repo', 'console'], ['workers'], ['runner'], ['e2e']];

/**
 * Runs one group of projects and counts its tests. A run that leaves no report counts as one
 * failure, so that a crash can never look like success.
 * @param {readonly string[]} projects
 */
function runProjects(projects, reports) {
  const report = join(reports, `${projects[0]}.json`);
  const result = spawnSync(
    NODE,
    [
      join(TOP, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      ...projects.flatMap((name) => ['--project', name]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    {
      cwd: TOP,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, PATH: `${join(TOP, 'node_modules', '.bin')}:${process.env.PATH}` },
    },
  );
  try {
    const json = JSON.parse(readFileSync(report, 'utf8'));
    const failed = json.numFailedTests + (result.status !== 0 && json.numFailedTests === 0 ? 1 : 0);
    return { passed: json.numPassedTests, failed };
  } catch {
    console.error(
      `The tests of ${projects.join(', ')} ended without a report (exit ${result.status}).`,
    );
    return { passed: 0, failed: 1 };
  }
}

ensureInstalled();
const problem = provision();
if (problem) exitWith(problem);

const chosen = process.argv.slice(2);
const runs = chosen.length > 0 ? [chosen] : RUNS;
const reports = mkdtempSync(join(tmpdir(), 'pilothouse-test-'));
let passed = 0;
/** Static checks that failed before, when they ran: the closing line speaks for the whole run. */
let failed = Number(process.env.PILOTHOUSE_FAILED_CHECKS ?? 0);
for (const projects of runs) {
  const count = runProjects(projects, reports);
  passed += count.passed;
  failed += count.failed;
}
rmSync(reports, { recursive: true, force: true });
if (passed === 0) {
  console.error('No test passed. Check the project names given, and the words above.');
  failed ||= 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
