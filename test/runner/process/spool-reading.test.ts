import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Spool } from '../../../runner/process/spool.ts';
import { capStderr, readStderrTail, STDERR_MAX_BYTES } from '../../../runner/process/stderr.ts';

let directory: string;
let path: string;
let spool: Spool | null = null;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-spool-'));
  path = join(directory, 'out');
  writeFileSync(path, '');
});
afterEach(() => {
  spool?.close();
  spool = null;
  rmSync(directory, { recursive: true });
});
const open = (offset = 0, maxLineBytes?: number) => (spool = new Spool(path, offset, maxLineBytes));

describe('an output file', () => {
  test('with nothing new has nothing to read', () => {
    expect(open().read()).toBeNull();
    appendFileSync(path, 'one\n');
    expect(spool?.read()?.lines).toEqual(['one']);
    expect(spool?.read()).toBeNull();
  });

  test('is read from where an earlier reader stood', () => {
    writeFileSync(path, 'one\ntwo\n');
    expect(open(4).read()).toMatchObject({ lines: ['two'], offset: 8 });
  });

  test('with half a line gives it when the other half is there', () => {
    appendFileSync(path, 'one\ntw');
    expect(open().read()).toMatchObject({ lines: ['one'], offset: 4 });
    appendFileSync(path, 'o\n');
    expect(spool?.read()).toMatchObject({ lines: ['two'], offset: 8 });
  });

  test('with a line that is too long goes on behind it', () => {
    appendFileSync(path, `${'x'.repeat(50)}\nok\n`);
    expect(open(0, 10).read()).toMatchObject({ lines: ['ok'], skipped: 1, offset: 54 });
  });

  test('that is given up is read no further, its last line neither', () => {
    appendFileSync(path, 'one\ntw');
    open().read();
    spool?.stop();
    appendFileSync(path, 'o\nthree\n');
    expect(spool?.read()).toBeNull();
    expect(spool?.flush()).toBeNull();
  });

  test('whose writer ended in the middle of a line still gives that line', () => {
    appendFileSync(path, 'one\nlast');
    open().read();
    expect(spool?.flush()).toMatchObject({ lines: ['last'], skipped: 0, offset: 8, full: false });
    expect(spool?.flush()).toBeNull();
  });

  test('that is not there is an error that names it', () => {
    expect(() => new Spool(join(directory, 'gone'), 0)).toThrow(/gone/);
  });
});

describe('what an engine says on its error output', () => {
  test('of nothing is nothing', () => {
    expect(readStderrTail(path)).toEqual([]);
  });

  test('is shown without the ends of its lines, as Windows writes them too', () => {
    writeFileSync(path, 'one\r\ntwo\n');
    expect(readStderrTail(path)).toEqual(['one', 'two']);
  });

  test('has no line longer than a page shows', () => {
    writeFileSync(path, 'x'.repeat(9_000));
    expect(readStderrTail(path)).toEqual(['x'.repeat(500)]);
  });

  test('exactly at its bound is kept, and one byte more begins it again', () => {
    writeFileSync(path, 'x'.repeat(20));
    capStderr(path, 20);
    expect(readStderrTail(path)).toHaveLength(1);
    capStderr(path, 19);
    expect(readStderrTail(path)).toEqual([]);
  });

  test('of a file that is gone is no error to bound', () => {
    expect(() => capStderr(join(directory, 'gone'))).not.toThrow();
    expect(STDERR_MAX_BYTES).toBeGreaterThan(0);
  });
});
