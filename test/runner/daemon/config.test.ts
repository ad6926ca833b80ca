import { expect, test } from 'vitest';
import { readRunnerConfig } from '../../../runner/config.ts';
import { Failure } from '../../../runner/failure.ts';

const env = {
  PILOTHOUSE_URL: 'http://127.0.0.1:4040',
  PILOTHOUSE_RUNNER_ID: 'run_one',
  PILOTHOUSE_RUNNER_TOKEN: 'a-token-of-enough-length',
  PILOTHOUSE_DATA: '/data',
};

test('a runner is told where to connect and where its data lies by its environment', () => {
  expect(readRunnerConfig(env)).toMatchObject({
    url: env.PILOTHOUSE_URL,
    runnerId: 'run_one',
    layout: { runner: '/data/runner' },
  });
});

test.each(['PILOTHOUSE_URL', 'PILOTHOUSE_RUNNER_ID', 'PILOTHOUSE_RUNNER_TOKEN'])(
  'a missing %s is named',
  (name) => {
    const failure = catchFailure({ ...env, [name]: undefined });
    expect(failure.message).toContain(name);
    expect(failure.exitCode).toBe(2);
  },
);

test('an address of another kind is refused, and no value is repeated', () => {
  const failure = catchFailure({ ...env, PILOTHOUSE_URL: 'ftp://secret@host' });
  expect(failure.message).toContain('PILOTHOUSE_URL');
  expect(failure.message).not.toContain('secret');
});

function catchFailure(given: NodeJS.ProcessEnv): Failure {
  try {
    readRunnerConfig(given);
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error('nothing was refused');
}
