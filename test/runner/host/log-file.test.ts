import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLogFile } from '../../../runner/host/log-file.ts';
import { temporaryDirectory } from './temporary.ts';

describe('a log file', () => {
  it('holds what was written, for its owner alone', () => {
    const path = join(temporaryDirectory(), 'log');
    const log = createLogFile(path);
    log('one\n');
    log('two\n');
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('goes on where an earlier process stopped', () => {
    const path = join(temporaryDirectory(), 'log');
    writeFileSync(path, 'before\n');
    createLogFile(path)('after\n');
    expect(readFileSync(path, 'utf8')).toBe('before\nafter\n');
  });

  it('never grows beyond its limit and keeps one older file', () => {
    const path = join(temporaryDirectory(), 'log');
    const log = createLogFile(path, 100);
    for (let line = 0; line < 100; line++) log(`line ${line} ${'x'.repeat(20)}\n`);
    expect(statSync(path).size).toBeLessThan(150);
    expect(statSync(`${path}.old`).size).toBeLessThan(150);
    expect(readFileSync(path, 'utf8')).toContain('line 99');
  });
});
