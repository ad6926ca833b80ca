import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../runner/failure.ts';
import { prepareDataDirectory } from '../../../runner/host/data-directory.ts';
import { dataDirectoryOf, layoutOf } from '../../../runner/host/layout.ts';
import { temporaryDirectory } from './temporary.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('preparing the data directory', () => {
  it('makes it and its parents for their owner alone', () => {
    const layout = layoutOf(join(temporaryDirectory(), 'a', 'b'));
    prepareDataDirectory(layout);
    expect(modeOf(layout.root)).toBe(0o700);
    expect(modeOf(layout.worker)).toBe(0o700);
    expect(modeOf(layout.runner)).toBe(0o700);
  });

  it('leaves nothing but the directories', () => {
    const layout = layoutOf(temporaryDirectory());
    prepareDataDirectory(layout);
    expect(readdirSync(layout.root).toSorted()).toEqual(['runner', 'worker']);
  });

  it('keeps the mode of a directory that was there, and closes what is its own', () => {
    const layout = layoutOf(temporaryDirectory());
    chmodSync(layout.root, 0o755);
    mkdirSync(layout.worker);
    chmodSync(layout.worker, 0o755);
    prepareDataDirectory(layout);
    expect(modeOf(layout.root)).toBe(0o755);
    expect(modeOf(layout.worker)).toBe(0o700);
  });

  it('says in a sentence that a path under a file cannot be written', () => {
    const file = join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    const prepare = () => prepareDataDirectory(layoutOf(join(file, 'data')));
    expect(prepare).toThrow(Failure);
    expect(prepare).toThrow(/cannot be written \(a part of the path is a file\).*--data DIRECTORY/);
    expect(existsSync(join(file, 'data'))).toBe(false);
  });

  it.runIf(existsSync('/proc/self'))('ends where the system makes no directories', () => {
    const prepare = () => prepareDataDirectory(layoutOf('/proc/no-such/data'));
    expect(prepare).toThrow(/cannot be written \(no directory can be made there\)/);
  });
});

describe('the data directory', () => {
  it('is the option before the environment before the home directory', () => {
    expect(dataDirectoryOf('/x', { PILOTHOUSE_DATA: '/y' })).toBe('/x');
    expect(dataDirectoryOf(undefined, { PILOTHOUSE_DATA: '/y' })).toBe('/y');
    expect(dataDirectoryOf(undefined, {})).toMatch(/\.pilothouse$/);
  });
});
