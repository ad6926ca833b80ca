// What vitest's JSON report says, counted. Plain JavaScript, as all that runs before the installation.

/** More files than this that fail at once are a fault, and no test's own accident. */
const MOST_AGAIN = 4;
/** What stands for a test where a file could not be loaded, and where the run itself failed. */
const FILE = 'the file';
const RUN = { file: '', name: 'the run' };
/** Of a test that this machine, or the run, left out. */
const NOT_RUN = new Set(['skipped', 'pending', 'todo', 'disabled']);

/**
 * @typedef {{ file: string, name: string, message: string }} Failure
 * @typedef {{ passed: number, failures: Failure[], passedIn: Record<string, string[]>, skippedIn: Record<string, number> }} Counted
 */

/**
 * Counts a report of vitest's `json` reporter, whose form is Jest's. A file that could not be
 * loaded, an error that belongs to no test, and a run that failed without a word are one failure each.
 * @param {{ testResults: readonly any[] }} report
 * @param {readonly string[]} errors what no test caught
 * @param {number | null} exit status of the run
 * @returns {Counted}
 */
export function countOf(report, errors, exit) {
  const failures = errors.map((error) => ({ ...RUN, message: firstLine(error) }));
  const passedIn = {};
  const skippedIn = {};
  let passed = 0;
  for (const file of report.testResults) {
    const tests = file.assertionResults;
    const good = tests.filter((test) => test.status === 'passed').map((test) => test.fullName);
    passed += good.length;
    passedIn[file.name] = good;
    const skipped = tests.filter((test) => NOT_RUN.has(test.status)).length;
    if (skipped > 0) skippedIn[file.name] = skipped;
    const bad = tests.filter((test) => test.status === 'failed');
    for (const test of bad) {
      failures.push({
        file: file.name,
        name: test.fullName,
        message: firstLine(test.failureMessages[0]),
      });
    }
    if (file.status === 'failed' && bad.length === 0)
      failures.push({ file: file.name, name: FILE, message: firstLine(file.message) });
  }
  if (exit !== 0 && failures.length === 0)
    failures.push({ ...RUN, message: `ended with ${exit}, though no test failed` });
  return { passed, failures, passedIn, skippedIn };
}

/**
 * The files to run a second time, alone: those with a failure, when they are few. None where the
 * run itself failed, since running files again says nothing about that.
 * @param {Counted} counted
 * @returns {string[]}
 */
export function filesAgain({ failures }) {
  const files = [...new Set(failures.map((failure) => failure.file))];
  return files.includes('') || files.length > MOST_AGAIN ? [] : files;
}

/**
 * Puts the second run of some files in the place of their first.
 * @param {Counted} first
 * @param {readonly string[]} files those that were run again
 * @param {Counted} second
 * @returns {Counted & { unsteady: Failure[] }} `unsteady`: what failed at first and passed then
 */
export function afterSecond(first, files, second) {
  const passedIn = { ...first.passedIn, ...second.passedIn };
  const ran = new Set(Object.keys(second.passedIn));
  const before = files
    .filter((file) => ran.has(file))
    .reduce((sum, file) => sum + (first.passedIn[file] ?? []).length, 0);
  const passedThen = ({ file, name }) =>
    name === FILE ? second.passedIn[file]?.length > 0 : second.passedIn[file]?.includes(name);
  const again = new Set(second.failures.map(keyOf));
  return {
    passed: first.passed - before + second.passed,
    failures: [
      ...first.failures.filter((failure) => !passedThen(failure) && !again.has(keyOf(failure))),
      ...second.failures,
    ],
    passedIn,
    skippedIn: {
      ...Object.fromEntries(Object.entries(first.skippedIn).filter(([file]) => !ran.has(file))),
      ...second.skippedIn,
    },
    unsteady: first.failures.filter((failure) => passedThen(failure)),
  };
}

const keyOf = ({ file, name }) => `${file}\n${name}`;

/**
 * The names that end a run, so that a cut log still says what failed.
 * @param {string} title
 * @param {readonly Failure[]} failures
 * @param {string} top directory that paths are told from
 */
export function namesOf(title, failures, top) {
  if (failures.length === 0) return '';
  const lines = failures.map(
    ({ file, name, message }) => `  ${file.replace(`${top}/`, '')} › ${name}\n    ${message}`,
  );
  return [title, ...lines].join('\n');
}

/**
 * What was not run, by file: a machine that lacks something proves less, and says so.
 * @param {Record<string, number>} skippedIn
 * @param {string} top directory that paths are told from
 */
export function skippedOf(skippedIn, top) {
  const files = Object.entries(skippedIn).toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (files.length === 0) return '';
  const total = files.reduce((sum, [, count]) => sum + count, 0);
  const lines = files.map(([file, count]) => `  ${file.replace(`${top}/`, '')}: ${count}`);
  return [`Not run here: ${total}`, ...lines].join('\n');
}

function firstLine(text) {
  return String(text ?? 'no message')
    .split('\n')[0]
    .slice(0, 300);
}
