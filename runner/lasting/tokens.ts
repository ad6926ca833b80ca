import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The process's own secret, kept so that engines go on with the runner that comes after. */
export function readOrMakeKey(path: string): Buffer {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, randomBytes(32), { mode: 0o600, flag: 'wx' });
  }
  return readFileSync(path);
}

const CONTROL = 'control';

/** What the runner proves itself by. */
export const controlTokenOf = (key: Buffer): string =>
  createHmac('sha256', key).update(CONTROL).digest('hex');

/** Compares in a time that tells nothing of where two words differ. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
