import { lstat, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCodeOf } from '../failure.ts';
import { isWithin } from '../limits/paths.ts';
import type { Checkout } from './checkout.ts';
import { listEnvFiles } from './env-files.ts';
import { collectSecrets, secretsOfFile, type Secret } from './secrets.ts';
import { readPersonalConfig } from './source.ts';

const MAX_FILE_BYTES = 1024 * 1024;

/**
 * The secrets that a session can read in its checkout: values of its files of variables, however
 * they came there, values of included files, and passwords in the addresses of remotes. Included
 * files are read in the source too, since a session may change or delete its copy and still
 * remember what was in it. A person's own directory may keep them elsewhere, behind links; a checkout
 * that is the session's is not looked out of. `names` are variables that a person says are secrets.
 */
export async function readCheckoutSecrets(
  checkout: Checkout,
  names: readonly string[] = [],
): Promise<Secret[]> {
  const own = checkout.mode === 'own';
  const [top, source, included] = own
    ? [checkout.top, checkout.source.top, checkout.included]
    : [checkout.directory, checkout.directory, []];
  const found = await listEnvFiles(top);
  const readAll = async (paths: readonly string[], within: string | null) =>
    (await Promise.all(paths.map((path) => readSecrets(path, within, names)))).flat();
  const secrets = await readAll(
    included.map((path) => join(source, path)),
    source,
  );
  const copies = included.map((path) => join(top, path));
  const written = await readAll([...new Set([...copies, ...found])], own ? top : null);
  const addresses = await readAddressSecrets(
    checkout.mode === 'own' ? checkout.source.commonDirectory : checkout.directory,
  );
  const all = [...secrets, ...addresses, ...bounded(written)];
  return [...new Map(all.map((secret) => [secret.value, secret])).values()];
}

/** A session can write such files: what looks for their values takes memory for each character. */
const WRITTEN_MAX_CHARS = 64 * 1024;

function bounded(secrets: readonly Secret[]): Secret[] {
  let chars = 0;
  return secrets.filter(({ value }) => (chars += value.length) <= WRITTEN_MAX_CHARS);
}

/** Gone, a link that leads nowhere or in a circle, or not for this user to read. */
const UNREADABLE = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);

async function readSecrets(
  path: string,
  within: string | null,
  names: readonly string[],
): Promise<Secret[]> {
  try {
    const real = await realpath(path);
    if (within !== null && !isWithin(await realpath(within), real)) return [];
    const stats = await lstat(real);
    // A file without a size may be one of the system's, which a reader waits at.
    if (!stats.isFile() || stats.size === 0 || stats.size > MAX_FILE_BYTES) return [];
    return secretsOfFile(path, await readFile(real, 'utf8'), names);
  } catch (error) {
    if (UNREADABLE.has(systemCodeOf(error) ?? '')) return [];
    throw error;
  }
}

async function readAddressSecrets(directory: string): Promise<Secret[]> {
  const config = await readPersonalConfig(directory);
  const remotes = [...config].filter(([key]) => /^remote\..*\.(push)?url$/.test(key));
  return remotes.flatMap(([, values]) =>
    values.flatMap((value) => collectSecrets({ remote_address: value })),
  );
}
