import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PendingInput } from '../../../runner/takeover/pending-input.ts';
import { until } from '../../support/until.ts';
import { aDirectory } from '../guard/repositories.ts';

/** More than a pipe holds, so that its writer has to wait for whoever reads. */
const MORE_THAN_A_PIPE = 200_000;
let fd: number;

beforeEach(() => {
  const directory = aDirectory();
  execFileSync('/bin/sh', ['-c', 'mkfifo pipe'], { cwd: directory });
  fd = openSync(join(directory, 'pipe'), constants.O_RDWR | constants.O_NONBLOCK);
});
afterEach(() => closeSync(fd));

const keys = (text: string) => new TextEncoder().encode(text);
/** What can be read now, as the program in the terminal would. */
function drain(): string {
  const buffer = Buffer.alloc(MORE_THAN_A_PIPE * 2);
  try {
    return buffer.subarray(0, readSync(fd, buffer)).toString();
  } catch {
    return '';
  }
}
async function readAll(length: number): Promise<string> {
  let read = '';
  await until(`${length} bytes`, () => (read += drain()).length >= length);
  return read;
}

describe('keys on their way to a program', () => {
  it('arrive in order, also those that a program is slow to read', async () => {
    const input = new PendingInput(fd);
    const parts = Array.from({ length: 20 }, (_, index) =>
      String.fromCodePoint(97 + index).repeat(MORE_THAN_A_PIPE / 20),
    );
    expect(parts.map((part) => input.push(keys(part)))).toEqual(parts.map(() => 0));
    expect(await readAll(MORE_THAN_A_PIPE)).toBe(parts.join(''));
    input.close();
  });

  it('are all taken or all refused, and what was read makes room', async () => {
    const input = new PendingInput(fd, 10);
    expect(input.push(keys('12345678'))).toBe(0);
    expect(input.push(keys('abc'))).toBe(3);
    expect(input.push(keys('90'))).toBe(0);
    expect(await readAll(10)).toBe('1234567890');
    await until('room', () => input.push(keys('next')) === 0);
    expect(await readAll(4)).toBe('next');
    input.close();
  });

  it('are the caller’s to change once they were taken', async () => {
    const input = new PendingInput(fd);
    const mine = keys('hello');
    input.push(mine);
    mine.fill(0);
    expect(await readAll(5)).toBe('hello');
    input.close();
  });

  it('are refused after the terminal is gone', () => {
    const input = new PendingInput(fd);
    input.close();
    expect(input.push(keys('late'))).toBe(4);
    expect(drain()).toBe('');
  });

  it('are refused once nothing can be written any more, and nothing throws', async () => {
    const unwritable = openSync('/dev/null', constants.O_RDONLY);
    const input = new PendingInput(unwritable);
    await until('the end', () => input.push(keys('x')) === 1);
    expect(input.push(keys('xyz'))).toBe(3);
    closeSync(unwritable);
  });
});
