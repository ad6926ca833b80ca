import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { EXIT, Failure, systemCodeOf } from '../failure.ts';

const SECRET_BYTES = 32;
const FORM = /^[0-9a-f]{64}$/;

/**
 * The secret that encrypts the keys of brains in this data directory; made at the first start, for
 * its owner alone. One that is there and is none stops the start: a new one would make every key
 * unreadable for good.
 */
export function readBrainSecret(path: string): string {
  const kept = readSecret(path) ?? makeSecret(path);
  if (FORM.test(kept)) return kept;
  throw new Failure(
    EXIT.failed,
    'brain_secret_broken',
    `${path} is not the secret that it should be, so the keys of brains cannot be read. Put it back from a copy, or remove it and add the keys again.`,
  );
}

function readSecret(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8').trim();
    // Whoever copied the directory may have opened it to others.
    chmodSync(path, 0o600);
    return text;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** A link is made whole or not at all: of two starts, both read the one that was first. */
function makeSecret(path: string): string {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(SECRET_BYTES).toString('hex')}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8').trim();
}
