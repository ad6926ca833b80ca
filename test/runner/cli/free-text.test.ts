import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runCli } from '../../../runner/cli/program.ts';
import { EXIT } from '../../../runner/failure.ts';

beforeEach(() => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.stubEnv('PILOTHOUSE_DATA', '/nowhere');
  vi.stubEnv('PILOTHOUSE_URL', undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const TEXT = '-n: a list of what to do';

it.each([
  ['launch', '--runner', 'run_a', '--engine', 'claude', '--directory', '/srv'],
  ['sessions', 'say', 'ses_a'],
  ['sessions', 'fork', 'ses_a', '--turn', 'trn_a', '--model', 'none'],
  ['pilot', 'objective', 'ses_a'],
  ['github', 'remove'],
])('text that begins with a dash is taken after two of them: %s %s', async (...words) => {
  expect(await runCli([...words, '--', TEXT])).toBe(EXIT.unreachable);
  expect(await runCli([...words, TEXT])).toBe(EXIT.usage);
});
