import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkGuard, readGuardFacts } from '../../../runner/doctor/guard.ts';
import { aDirectory } from '../guard/repositories.ts';

it('finds the guard by asking git, and names the forges’ programs that it stands before', async () => {
  const bin = aDirectory();
  writeFileSync(join(bin, 'gh'), '#!/bin/sh\n', { mode: 0o755 });
  const facts = await readGuardFacts({ PATH: `${bin}:${process.env['PATH']}` });
  expect(checkGuard(facts, 'apt')).toMatchObject({
    status: 'ok',
    message: expect.stringContaining('git push, gh.'),
  });
});

it('warns where git does not take hooks from its environment', async () => {
  const bin = aDirectory();
  writeFileSync(
    join(bin, 'git'),
    '#!/bin/sh\nunset GIT_CONFIG_PARAMETERS\nexec /usr/bin/git "$@"\n',
    {
      mode: 0o755,
    },
  );
  const facts = await readGuardFacts({ PATH: `${bin}:${process.env['PATH']}` });
  expect(checkGuard(facts, 'apt')).toMatchObject({ check: 'guard', status: 'warning' });
});
