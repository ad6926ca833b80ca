import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DriveName, driveName } from '../../protocol/drive-report.ts';
import { systemCodeOf } from '../failure.ts';
import { parseJson } from '../json.ts';

const KEY_BYTES = 32;

/** The key of a directory's tokens, in a file of the person's own; made where there is none. */
export function readTokenKey(root: string): Buffer {
  const path = join(root, 'ask.key');
  try {
    const key = readFileSync(path);
    if (key.length === KEY_BYTES) return key;
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  }
  const key = randomBytes(KEY_BYTES);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  writeFileSync(path, key, { mode: 0o600 });
  return key;
}

/** A token that says which call started an agent, and that it was this runner that did. Pure. */
export function makeToken(key: Buffer, drive: DriveName): string {
  const said = Buffer.from(JSON.stringify(drive)).toString('base64url');
  return `${said}.${seal(key, said).toString('base64url')}`;
}

/** The call that a token names; null for one that this runner did not make. Pure. */
export function readToken(key: Buffer, token: string): DriveName | null {
  const [said = '', sealed = ''] = token.split('.');
  const given = Buffer.from(sealed, 'base64url');
  const own = seal(key, said);
  if (given.length !== own.length || !timingSafeEqual(given, own)) return null;
  const parsed = driveName.safeParse(parseJson(Buffer.from(said, 'base64url').toString('utf8')));
  return parsed.data ?? null;
}

const seal = (key: Buffer, said: string): Buffer => createHmac('sha256', key).update(said).digest();
