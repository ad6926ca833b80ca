import { appendFileSync, renameSync, statSync } from 'node:fs';

/** A log of at most this many bytes, and one older of the same size beside it. */
const MAX_BYTES = 5 * 1024 * 1024;

/** Appends to a log that its owner alone can read; a full one is moved to `.old` first. */
export function createLogFile(path: string, maxBytes = MAX_BYTES): (text: string) => void {
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return (text) => {
    if (size > maxBytes) {
      renameSync(path, `${path}.old`);
      size = 0;
    }
    appendFileSync(path, text, { mode: 0o600 });
    size += Buffer.byteLength(text);
  };
}
