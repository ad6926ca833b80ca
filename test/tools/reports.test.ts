import { describe, expect, it } from 'vitest';

type Failure = { file: string; name: string; message: string };
type Counted = {
  passed: number;
  failures: Failure[];
  passedIn: Record<string, string[]>;
  skippedIn: Record<string, number>;
};
/** Plain JavaScript that runs before the installation: imported by path, without types. */
const REPORTS: string = '../../tools/bootstrap/reports.mjs';
const reports: {
  countOf(report: { testResults: unknown[] }, errors: string[], exit: number | null): Counted;
  filesAgain(counted: Counted): string[];
  afterSecond(
    first: Counted,
    files: readonly string[],
    second: Counted,
  ): Counted & { unsteady: Failure[] };
  skippedOf(skippedIn: Record<string, number>, top: string): string;
  namesOf(title: string, failures: readonly Failure[], top: string): string;
} = await import(REPORTS);

type Told = Record<string, 'passed' | 'failed' | 'skipped'>;

/** One file of a report, as the `json` reporter writes it. */
function file(name: string, tests: Told, message = '') {
  const assertionResults = Object.entries(tests).map(([fullName, status]) => ({
    fullName,
    status,
    failureMessages: status === 'failed' ? [`${fullName} went wrong\n    at x.ts:1`] : [],
  }));
  const failed = message !== '' || Object.values(tests).includes('failed');
  return { name, status: failed ? 'failed' : 'passed', message, assertionResults };
}

const count = (...files: ReturnType<typeof file>[]) =>
  reports.countOf({ testResults: files }, [], files.some((one) => one.status === 'failed') ? 1 : 0);

describe('the count of a run', () => {
  it('holds what passed and what failed, and not what was skipped', () => {
    const { passed, failures } = count(
      file('/top/a.test.ts', { one: 'passed', two: 'skipped' }),
      file('/top/b.test.ts', { three: 'failed', four: 'passed' }),
    );
    expect({ passed, failures }).toEqual({
      passed: 2,
      failures: [{ file: '/top/b.test.ts', name: 'three', message: 'three went wrong' }],
    });
  });
  it('takes a file that could not be loaded for one failure', () => {
    expect(count(file('/top/a.test.ts', {}, 'no such module')).failures).toEqual([
      { file: '/top/a.test.ts', name: 'the file', message: 'no such module' },
    ]);
  });
  it('takes a run that failed without a failed test for one failure', () => {
    const run = reports.countOf(
      { testResults: [file('/top/a.test.ts', { one: 'passed' })] },
      [],
      1,
    );
    expect(run.failures).toHaveLength(1);
    expect(reports.filesAgain(run)).toEqual([]);
  });
});

describe('an error that no test caught', () => {
  const told = [file('/top/a.test.ts', { one: 'failed' })];
  const run = reports.countOf({ testResults: told }, ['fell over\n at y.ts:1'], 1);

  it('is a failure beside those of tests', () => {
    expect(run.failures.map(({ message }) => message)).toEqual(['fell over', 'one went wrong']);
  });
  it('is not run away', () => {
    expect(reports.filesAgain(run)).toEqual([]);
  });
});

describe('a second run', () => {
  const first = count(
    file('/top/a.test.ts', { one: 'passed' }),
    file('/top/b.test.ts', { two: 'failed', three: 'passed', four: 'failed' }),
  );
  const files = reports.filesAgain(first);

  it('is of the files that failed', () => {
    expect(files).toEqual(['/top/b.test.ts']);
  });
  it('takes the place of the first, and names what passed only then', () => {
    const second = count(
      file('/top/b.test.ts', { two: 'passed', three: 'passed', four: 'failed' }),
    );
    const whole = reports.afterSecond(first, files, second);
    expect(whole.passed).toBe(3);
    expect(whole.failures.map(({ name }) => name)).toEqual(['four']);
    expect(whole.unsteady.map(({ name }) => name)).toEqual(['two']);
  });
  it('leaves a failure standing whose file did not run again', () => {
    const whole = reports.afterSecond(first, files, count());
    expect(whole.failures).toEqual(first.failures);
    expect(whole.unsteady).toEqual([]);
  });
  it('has to pass a test by name, and not to leave it out', () => {
    const whole = reports.afterSecond(
      first,
      files,
      count(file('/top/b.test.ts', { two: 'skipped', three: 'passed' })),
    );
    expect(whole.failures.map(({ name }) => name)).toEqual(['two', 'four']);
    expect(whole.unsteady).toEqual([]);
    expect(whole.skippedIn).toEqual({ '/top/b.test.ts': 1 });
  });
  it('is not made where many files failed', () => {
    const many = count(
      ...['a', 'b', 'c', 'd', 'e'].map((name) => file(`/top/${name}.test.ts`, { x: 'failed' })),
    );
    expect(reports.filesAgain(many)).toEqual([]);
  });
});

describe('the end of a log', () => {
  it('names each failure by its file from the top', () => {
    const { failures } = count(file('/top/test/b.test.ts', { three: 'failed' }));
    expect(reports.namesOf('Failed:', failures, '/top')).toBe(
      'Failed:\n  test/b.test.ts › three\n    three went wrong',
    );
  });
  it('says by file what this machine did not run, and nothing where it ran all', () => {
    const { skippedIn } = count(
      file('/top/test/b.test.ts', { one: 'skipped', two: 'passed', three: 'skipped' }),
      file('/top/test/a.test.ts', { four: 'skipped' }),
      file('/top/test/c.test.ts', { five: 'passed' }),
    );
    expect(reports.skippedOf(skippedIn, '/top')).toBe(
      'Not run here: 3\n  test/a.test.ts: 1\n  test/b.test.ts: 2',
    );
    expect(reports.skippedOf({}, '/top')).toBe('');
  });
  it('is silent where nothing failed', () => {
    expect(reports.namesOf('Failed:', [], '/top')).toBe('');
  });
});
