import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { putForgePrograms } from '../../../runner/seal/forge-programs.ts';
import { put } from '../../../runner/seal/put-program.ts';
import { aDirectory } from '../guard/repositories.ts';

// Root may write to any file, so that these look whether one was written to.

it('a program is put anew where one who put it before was killed in between', () => {
  const path = join(aDirectory(), 'pre-push');
  writeFileSync(`${path}.new`, 'ha');
  chmodSync(`${path}.new`, 0o500);
  linkSync(`${path}.new`, `${path}.left`);
  put(path, 'whole', 0o500);
  expect(readFileSync(path, 'utf8')).toBe('whole');
  expect(readFileSync(`${path}.left`, 'utf8')).toBe('ha');
});

it('a program of a forge is put anew and not written to, which nobody may', () => {
  const programs = join(aDirectory(), 'programs');
  const putOne = () => {
    putForgePrograms({ programs, gate: '/gate' }, '/bin', false);
    return statSync(join(programs, 'gh'));
  };
  const [before, after] = [putOne(), putOne()];
  expect(after.mode & 0o777).toBe(0o500);
  expect(after.ino).not.toBe(before.ino);
});

it('a program of a forge becomes the real one behind another of ours, as in a session within one', () => {
  const bin = aDirectory();
  writeFileSync(join(bin, 'gh'), '#!/bin/sh\necho "gh was asked: $*"\n', { mode: 0o755 });
  const path = [aDirectory(), aDirectory()].reduce(
    (PATH, programs) => putForgePrograms({ programs, gate: '/gate' }, PATH, false),
    [bin, '/usr/bin', '/bin'].join(delimiter),
  );
  const said = execFileSync('/bin/sh', ['-c', 'gh --version'], {
    env: { PATH: path },
    encoding: 'utf8',
    timeout: 3_000,
  });
  expect(said).toBe('gh was asked: --version\n');
});
