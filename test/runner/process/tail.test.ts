import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readTail } from '../../../runner/process/tail.ts';

const directory = mkdtempSync(join(tmpdir(), 'pilothouse-tail-'));
const file = join(directory, 'out');
afterAll(() => rmSync(directory, { recursive: true }));

describe('the tail of a file', () => {
  it('is all of a short one', () => {
    writeFileSync(file, 'one\ntwo');
    expect(readTail(file, 100)).toEqual({ text: 'one\ntwo', size: 7, cut: false });
  });

  it('is the end of a long one, and says so', () => {
    writeFileSync(file, 'one\ntwo');
    expect(readTail(file, 3)).toEqual({ text: 'two', size: 7, cut: true });
  });

  it('of a file that is gone is empty', () => {
    expect(readTail(join(directory, 'gone'), 3)).toEqual({ text: '', size: 0, cut: false });
  });
});
