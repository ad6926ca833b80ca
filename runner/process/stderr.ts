import { closeSync, fstatSync, ftruncateSync } from 'node:fs';
import { openExisting, readTail } from './tail.ts';

/** Most that an engine's stderr file holds; only its last lines are ever shown. */
export const STDERR_MAX_BYTES = 1024 * 1024;
const TAIL_BYTES = 16 * 1024;
const TAIL_LINES = 20;
const LINE_MAX_CHARS = 500;

/** The last lines of an engine's stderr, at most 20; none when the file is gone. */
export function readStderrTail(path: string): string[] {
  const { text, cut } = readTail(path, TAIL_BYTES);
  const lines = text.split(/\r?\n/);
  return (cut ? lines.slice(1) : lines)
    .filter((line) => line.trim())
    .slice(-TAIL_LINES)
    .map((line) => line.slice(0, LINE_MAX_CHARS));
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
