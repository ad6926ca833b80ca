import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gitEnvironment } from '../../guard/git.ts';
import { SCRATCH_PROJECT } from './builtin.ts';

const run = promisify(execFile);

const FILES: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: SCRATCH_PROJECT, version: '0.1.0', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'README.md': `# ${SCRATCH_PROJECT}\n\nKeeps the tide readings of a small harbour.\n\n    npm test\n\nA scratch project for rehearsals: nothing in it matters.\n`,
  'src/tide.js':
    '/** Average tide in centimetres; 0 when there are no readings. */\nexport function averageTide(readings) {\n  if (readings.length === 0) return 0;\n  const sum = readings.reduce((total, reading) => total + reading, 0);\n  return sum / (readings.length + 1);\n}\n\n/** The highest reading, in centimetres. */\nexport function highestTide(readings) {\n  return Math.max(...readings);\n}\n',
  'test/tide.test.js':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { averageTide, highestTide } from '../src/tide.js';\n\ntest('the average of three readings', () => {\n  assert.equal(averageTide([100, 200, 300]), 200);\n});\n\ntest('the highest reading', () => {\n  assert.equal(highestTide([120, 310, 240]), 310);\n});\n",
};

/**
 * Makes the scratch repository of a rehearsal in `directory`: a small project with one failing
 * test, one commit on `main`, and a bare remote `origin` beside it (`<directory>.git`) that a
 * push really reaches. Throws when git is missing or the directory cannot be written.
 */
export async function createRehearsalRepository(directory: string): Promise<void> {
  const remote = `${directory}.git`;
  await mkdir(directory, { recursive: true });
  for (const [path, content] of Object.entries(FILES)) {
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  const env = gitEnvironment(process.env);
  const git = (...args: string[]) => run('git', ['-C', directory, ...args], { env });
  await git('init', '--quiet', '--bare', '--initial-branch=main', remote);
  await git('init', '--quiet', '--initial-branch=main');
  // The repository is nobody's, so its commits are signed with nobody's name or key.
  await git('config', 'user.name', 'Rehearsal');
  await git('config', 'user.email', 'rehearsal@pilothouse.invalid');
  await git('config', 'commit.gpgsign', 'false');
  await git('add', '--all');
  await git('commit', '--quiet', '--no-verify', '--message', 'Keep tide readings');
  await git('remote', 'add', 'origin', remote);
  await git('push', '--quiet', '--set-upstream', 'origin', 'main');
}
