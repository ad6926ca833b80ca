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
      Array.from({ length: 4 }, () => ({ text: 'git push', whole: true })),
    );
  });

  it('reads nothing outside, by whatever path or link', () => {
    symlinkSync(join(outside, 'secret'), join(checkout, 'link'));
    symlinkSync(outside, join(checkout, 'there'));
    const look = lookIn(checkout);
    const paths = ['link', 'there/secret', join(outside, 'secret'), `../${outside}/secret`, '..'];
    expect(paths.map(look)).toEqual(paths.map(() => null));
  });

  it('waits for no pipe, and reads no directory and nothing that is not there', () => {
    execFileSync('mkfifo', [join(checkout, 'pipe')]);
    const look = lookIn(checkout);
    expect(['pipe', 'sub', 'none', 'a\0b'].map(look)).toEqual([null, null, null, null]);
  });

  it('reads the first four MiB of a file, and says where that is not all', () => {
    const most = 4 * 1024 ** 2;
    writeFileSync(join(checkout, 'long'), 'x'.repeat(most));
    writeFileSync(join(checkout, 'longer'), 'x'.repeat(most + 1));
    const look = lookIn(checkout);
    expect(look('long')?.whole).toBe(true);
    expect(look('longer')?.whole).toBe(false);
    expect(look('longer')?.text.length).toBe(most);
  });

  it('has nothing to show of a directory that is gone', () => {
    expect(lookIn(join(checkout, 'gone'))('s.sh')).toBeNull();
  });

  it('reaches over the whole repository from below its top, and below a directory of none', () => {
    mkdirSync(join(checkout, '.git'));
    writeFileSync(join(checkout, 'up.sh'), 'git push --tags');
    const below = join(checkout, 'sub');
    const paths = ['s.sh', '../up.sh', join(checkout, 'up.sh'), join(outside, 'secret')];
    const texts = () => paths.map((path) => lookAround(below)(path)?.text ?? null);
    expect(texts()).toEqual(['git push', 'git push --tags', 'git push --tags', null]);
    rmSync(join(checkout, '.git'), { recursive: true });
    expect(texts()).toEqual(['git push', null, null, null]);
  });
});
