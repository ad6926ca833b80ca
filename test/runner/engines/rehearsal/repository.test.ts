import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createRehearsalRepository } from '../../../../runner/engines/rehearsal/repository.ts';
import { aDirectory, aRepository, gitIn } from '../../guard/repositories.ts';

const { HOME: home } = process.env;
afterEach(() => {
  process.env['HOME'] = home;
  delete process.env['GIT_DIR'];
});

test('a rehearsal has one commit, and a remote that has it too', async () => {
  const directory = join(aDirectory(), 'scratch');
  await createRehearsalRepository(directory);
  expect(gitIn(directory, 'log', '--format=%an %s')).toBe('Rehearsal Keep tide readings');
  expect(gitIn(`${directory}.git`, 'rev-parse', 'main')).toBe(
    gitIn(directory, 'rev-parse', 'HEAD'),
  );
  expect(gitIn(directory, 'status', '--porcelain', '--branch')).toBe('## main...origin/main');
});

test('is made where it was asked for and runs no hook, whatever the person set', async () => {
  const person = aDirectory();
  const canary = join(person, 'ran');
  const hooks = join(person, 'hooks');
  mkdirSync(hooks);
  for (const hook of ['post-commit', 'commit-msg', 'pre-push', 'reference-transaction']) {
    writeFileSync(join(hooks, hook), `#!/bin/sh\necho ${hook} >> '${canary}'\n`);
    chmodSync(join(hooks, hook), 0o755);
  }
  writeFileSync(join(person, '.gitconfig'), `[core]\n\thooksPath = ${hooks}\n`);
  const other = aRepository();
  const before = gitIn(other, 'for-each-ref');
  process.env['HOME'] = person;
  process.env['GIT_DIR'] = join(other, '.git');
  const directory = join(aDirectory(), 'scratch');
  await createRehearsalRepository(directory);
  delete process.env['GIT_DIR'];
  expect(gitIn(directory, 'rev-list', '--count', 'main')).toBe('1');
  expect(gitIn(other, 'for-each-ref')).toBe(before);
  expect(existsSync(canary)).toBe(false);
});
