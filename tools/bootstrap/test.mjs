import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NODE, TOP, ensureInstalled, exitWith } from './install.mjs';
import { provision } from './provision.mjs';
import { afterSecond, countOf, filesAgain, namesOf, skippedOf } from './reports.mjs';

/** Test projects in the order in which a fault is cheapest to find. */
const RUNS = [['protocol', 'repo', 'console-logic', 'console'], ['workers'], ['runner'], ['e2e']];

/**
 * Runs projects once. Null when the run left no report, so that a crash never looks like success.
 * @param {readonly string[]} projects
 * @param {string} report where vitest writes it
 * @param {readonly string[]} files only these; all when empty
 */
function runOnce(projects, report, files = []) {
  const uncaught = `${report}.uncaught`;
  const result = spawnSync(
    NODE,
    [
      join(TOP, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      ...projects.flatMap((name) => ['--project', name]),
      '--reporter=default',
      '--reporter=json',
      `--reporter=${join(TOP, 'tools', 'bootstrap', 'uncaught-reporter.mjs')}`,
      `--outputFile.json=${report}`,
      ...files,
    ],
    {
      cwd: TOP,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        PATH: `${join(TOP, 'node_modules', '.bin')}:${process.env.PATH}`,
        PILOTHOUSE_UNCAUGHT: uncaught,
      },
    },
  );
  try {
    const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
    return countOf(read(report), read(uncaught), result.status);
  } catch {
    console.error(
      `The tests of ${projects.join(', ')} ended without a report (exit ${result.status}).`,
    );
    return null;
  }
}

/**
 * Runs one group of projects. A file that failed is run once more by itself: what passes then is
 * counted as passed, and named at the end as unsteady.
 * @param {readonly string[]} projects
 * @param {string} reports directory of the reports
 */
function runProjects(projects, reports) {
  const first = runOnce(projects, join(reports, `${projects[0]}.json`));
  if (!first) {
    const message = 'ended without a report';
    return {
      passed: 0,
      failures: [{ file: '', name: projects.join(', '), message }],
      skippedIn: {},
      unsteady: [],
    };
  }
  const files = filesAgain(first);
  if (files.length === 0) return { ...first, unsteady: [] };
  console.log(`== again, by itself: ${files.join(' ')}`);
  const second = runOnce(projects, join(reports, `${projects[0]}-again.json`), files);
  return second ? afterSecond(first, files, second) : { ...first, unsteady: [] };
}

ensureInstalled();
const problem = provision();
if (problem) exitWith(problem);

const chosen = process.argv.slice(2);
const runs = chosen.length > 0 ? [chosen] : RUNS;
const reports = mkdtempSync(join(tmpdir(), 'pilothouse-test-'));
let passed = 0;
const failures = [];
const unsteady = [];
const skippedIn = {};
/** Static checks that failed before, when they ran: the closing line speaks for the whole run. */
let failed = Number(process.env.PILOTHOUSE_FAILED_CHECKS ?? 0);
for (const projects of runs) {
  const count = runProjects(projects, reports);
  passed += count.passed;
  failures.push(...count.failures);
  unsteady.push(...count.unsteady);
  Object.assign(skippedIn, count.skippedIn);
}
failed += failures.length;
rmSync(reports, { recursive: true, force: true });
if (passed === 0) {
  console.error('No test passed. Check the project names given, and the words above.');
  failed ||= 1;
}
for (const words of [
  skippedOf(skippedIn, TOP),
  namesOf('Passed only at a second try, and want steadying:', unsteady, TOP),
  namesOf('Failed:', failures, TOP),
])
  if (words) console.log(words);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
