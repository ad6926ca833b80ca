import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** Hosts of which a session is told, at most: one that tries many is told of the first. */
export const REFUSED_MAX = 20;

/** Hosts that a session was kept from, as `name:port`, each once, in the order of the first time. */
export const readRefused = (path: string): string[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];

/** Puts a host on record that the session did not reach; nothing for one that is there, or too many. */
export function noteRefused(path: string, host: string): void {
  const line = host.replaceAll(/[^\w.:[\]-]/g, '?').slice(0, 200);
  try {
    const known = readRefused(path);
    if (known.length < REFUSED_MAX && !known.includes(line)) appendFileSync(path, `${line}\n`);
  } catch {
    // A full disk costs the record of it, not the network of every other session.
  }
}
