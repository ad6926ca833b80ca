import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { lookAround, lookIn } from '../../../runner/guard/look-in.ts';
import { aDirectory } from './repositories.ts';

describe('a look at the files of a checkout', () => {
  let outside: string;
  let checkout: string;
  beforeEach(() => {
    [outside, checkout] = [aDirectory(), aDirectory()];
    writeFileSync(join(outside, 'secret'), 'theirs');
    mkdirSync(join(checkout, 'sub'));
    writeFileSync(join(checkout, 'sub', 's.sh'), 'git push');
  });

  it('reads a file by its path from there, an absolute one, and a link that stays within', () => {
    symlinkSync('sub/s.sh', join(checkout, 'link'));
    const look = lookIn(checkout);
    expect(['sub/s.sh', join(checkout, 'sub/s.sh'), 'link', 'sub/../sub/s.sh'].map(look)).toEqual(
      Array.from({ length: 4 }, () => 'git push'),
    );
  });

  it('reads nothing outside, by whatever path or link', () => {
    symlinkSync(join(outside, 'secret'), join(checkout, 'link'));
    symlinkSync(outside, join(checkout, 'there'));
    const look = lookIn(checkout);
    const paths = ['link', 'there/secret', join(outside, 'secret'), `../${outside}/secret`, '..'];
    expect(paths.map(look)).toEqual(paths.map(() => null));
  });

  it('waits for no pipe, and reads no directory and nothing that is too long or not there', () => {
    execFileSync('mkfifo', [join(checkout, 'pipe')]);
    writeFileSync(join(checkout, 'long'), 'x'.repeat(65 * 1024));
    const look = lookIn(checkout);
    expect(['pipe', 'sub', 'long', 'none', 'a\0b'].map(look)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it('has nothing to show of a directory that is gone', () => {
    expect(lookIn(join(checkout, 'gone'))('s.sh')).toBeNull();
  });

  it('reaches over the whole repository from below its top, and below a directory of none', () => {
    mkdirSync(join(checkout, '.git'));
    writeFileSync(join(checkout, 'up.sh'), 'git push --tags');
    const below = join(checkout, 'sub');
    const paths = ['s.sh', '../up.sh', join(checkout, 'up.sh'), join(outside, 'secret')];
    expect(paths.map(lookAround(below))).toEqual([
      'git push',
      'git push --tags',
      'git push --tags',
      null,
    ]);
    rmSync(join(checkout, '.git'), { recursive: true });
    expect(paths.map(lookAround(below))).toEqual(['git push', null, null, null]);
  });
});
