import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isScratch, reachesOut } from '../../../../runner/acts/rules/remove.ts';
import { actsOf } from '../expect-acts.ts';

const reaches = (text: string, certain = true) => reachesOut({ text, certain });

describe('a path', () => {
  it.each([
    '/',
    '/home/person',
    '~',
    '~/code',
    '.',
    './',
    './/',
    '*',
    './*',
    '..',
    '../other',
    'a/../../b',
    '.git',
    './.git',
    '.git/',
    '/tmp',
    '/tmp/',
    '/tmp/../etc',
  ])('reaches out of the work: %s', (path) => {
    expect(reaches(path)).toBe(true);
  });

  it.each([
    'dist',
    './dist/',
    'a/../b',
    'a/b/../../c',
    '/tmp/build',
    '/private/tmp/x',
    '.github',
    '~x',
  ])('stays in the work, or among what nobody misses: %s', (path) => {
    expect(reaches(path)).toBe(false);
  });

  it('that a variable holds may be anywhere, unless it stands below what is known', () => {
    expect(reaches('$HOME', false)).toBe(true);
    expect(reaches('$DIR/x', false)).toBe(true);
    expect(reaches('dist/$NAME', false)).toBe(false);
  });

  it('reaches out exactly when it goes up further than it came down', () => {
    const part = fc.constantFrom('..', '.', 'a', 'b');
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
        let [depth, lowest] = [0, 0];
        for (const each of parts) {
          depth += each === '..' ? -1 : each === '.' ? 0 : 1;
          lowest = Math.min(lowest, depth);
        }
        // A path of the directory itself is all of it.
        const itself = parts.every((each) => each === '.') && parts.length === 1;
        expect(reaches(parts.join('/'))).toBe(lowest < 0 || itself);
      }),
    );
  });

  it.each([
    ['/tmp/x', true],
    ['/var/tmp/x/y', true],
    ['/tmp', false],
    ['/tmpx/y', false],
    ['/tmp/../home', false],
    ['tmp/x', false],
  ])('%s is among temporary files: %s', (path, scratch) => {
    expect(isScratch(path)).toBe(scratch);
  });
});

describe('removal', () => {
  it.each([
    ['rm -rf /', 'remove /'],
    ['rm -fr ~/code dist', 'remove ~/code'],
    ['rm --recursive ../other', 'remove ../other'],
    ['cd / && rm -r home', 'remove home'],
    ['rimraf ../dist', 'remove ../dist'],
    ['find / -name x -delete', 'remove /'],
    ['find ../x -delete', 'remove ../x'],
    ['git clean -fdx', 'remove untracked files'],
    ['git clean -f ../other', 'remove ../other'],
    ['git worktree remove -f ../other', 'remove ../other'],
    ['docker volume rm data', 'remove data'],
    ['docker volume prune', 'remove volume prune'],
    ['docker system prune --volumes', 'remove system prune'],
    ['docker compose down -v', 'remove compose down'],
    ['docker compose -f prod.yml rm -v db', 'remove db'],
  ])('is what %s does', (line, act) => {
    expect(actsOf(line)).toEqual([act]);
  });

  it.each([
    ['rm -rf dist node_modules'],
    ['rm -rf /tmp/build'],
    ['rm ../one-file'],
    ['rm --help -r /'],
    ['rimraf dist'],
    ['find . -name "*.orig" -delete'],
    ['find / -name x'],
    ['git clean -n -fdx'],
    ['git clean -f build'],
    ['git clean -fd --help'],
    ['git clean'],
    ['git worktree remove ../other'],
    ['docker compose down'],
    ['docker system prune'],
    ['docker volume ls'],
  ])('is not what %s does', (line) => {
    expect(actsOf(line)).toEqual([]);
  });
});
