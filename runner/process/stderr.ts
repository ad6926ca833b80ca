import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { systemCodeOf } from '../failure.ts';

/** Most that an engine's stderr file holds; only its last lines are ever shown. */
export const STDERR_MAX_BYTES = 1024 * 1024;
const TAIL_BYTES = 16 * 1024;
const TAIL_LINES = 20;
const LINE_MAX_CHARS = 500;

/** The last lines of an engine's stderr, at most 20; none when the file is gone. */
export function readStderrTail(path: string): string[] {
  const fd = openExisting(path, 'r');
  if (fd === null) return [];
  try {
    const { size } = fstatSync(fd);
    const start = Math.max(0, size - TAIL_BYTES);
    const tail = Buffer.alloc(size - start);
    readSync(fd, tail, 0, tail.length, start);
    const lines = tail.toString('utf8').split(/\r?\n/);
    const whole = start > 0 ? lines.slice(1) : lines;
    return whole
      .filter((line) => line.trim())
      .slice(-TAIL_LINES)
      .map((line) => line.slice(0, LINE_MAX_CHARS));
  } finally {
    closeSync(fd);
  }
}

/** Empties a stderr file that outgrew its bound; the engine appends, so it goes on at the start. */
export function capStderr(path: string, maxBytes = STDERR_MAX_BYTES): void {
  const fd = openExisting(path, 'r+');
  if (fd === null) return;
  try {
    if (fstatSync(fd).size > maxBytes) ftruncateSync(fd, 0);
  } finally {
    closeSync(fd);
  }
}

function openExisting(path: string, flags: 'r' | 'r+'): number | null {
  try {
    return openSync(path, flags);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
