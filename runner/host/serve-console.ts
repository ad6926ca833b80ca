import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { systemCodeOf } from '../failure.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A page that was opened before an update may ask for the rest of its files for so long. */
const KEEP_MS = 14 * DAY_MS;
/** All files of earlier builds together, in bytes: about twenty builds. */
const KEEP_BYTES = 24 * 1024 * 1024;
/** Where a build puts the files that have a hash of their content in their name. */
const ASSETS = 'assets';

/** Since when a file is in no build any more (Unix ms), by its name. */
const replacedSchema = z.record(z.string(), z.int());

export type OldAsset = { name: string; replacedAt: number; bytes: number };

/** The files of earlier builds to delete: those too old, then the oldest until the rest fits. */
export function decideDropped(assets: readonly OldAsset[], nowMs: number): string[] {
  let kept = 0;
  return assets
    .toSorted((a, b) => b.replacedAt - a.replacedAt)
    .filter(({ replacedAt, bytes }) => {
      kept += bytes;
      return nowMs - replacedAt > KEEP_MS || kept > KEEP_BYTES;
    })
    .map(({ name }) => name);
}

/**
 * Copies the built console into `home`, the installation's own directory, and answers the path of
 * what is to be served. A build under a running instance so changes nothing that is served, and
 * after a start with a newer build the pages that are still open find the files of theirs: a name
 * with a hash in it always means the same content. They are kept for two weeks, within bounds.
 */
export function serveConsole(built: string, home: string, nowMs: number): string {
  const served = join(home, 'files');
  const assets = join(served, ASSETS);
  const record = join(home, 'replaced.json');
  mkdirSync(assets, { recursive: true });
  const current = new Set(listNames(join(built, ASSETS)));
  const known = readReplaced(record);
  const old = listNames(assets)
    .filter((name) => !current.has(name))
    .map((name) => ({
      name,
      replacedAt: known[name] ?? nowMs,
      bytes: statSync(join(assets, name)).size,
    }));
  const dropped = new Set(decideDropped(old, nowMs));
  // The page is written last: it names the files of this build.
  cpSync(join(built, ASSETS), assets, { recursive: true });
  cpSync(built, served, { recursive: true, filter: (from) => from !== join(built, ASSETS) });
  for (const name of dropped) rmSync(join(assets, name), { recursive: true, force: true });
  const kept = old.filter(({ name }) => !dropped.has(name));
  writeFileSync(
    record,
    JSON.stringify(Object.fromEntries(kept.map(({ name, replacedAt }) => [name, replacedAt]))),
  );
  return served;
}

function listNames(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** A record that is missing or not whole is an empty one: its files count as replaced just now. */
function readReplaced(path: string): Record<string, number> {
  try {
    return replacedSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data ?? {};
  } catch (error) {
    if (error instanceof SyntaxError || systemCodeOf(error) === 'ENOENT') return {};
    throw error;
  }
}
