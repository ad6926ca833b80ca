import { watch, type FSWatcher, type Stats } from 'node:fs';
import {
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { messageOf, systemCodeOf } from '../failure.ts';
import type { Log } from '../log.ts';

/** One stored login: the person's own file, and where a sealed session has it. */
export type LoginPair = { own: string; inside: string };

/** Far above any stored login. */
const LOGIN_MAX_BYTES = 1024 * 1024;

/**
 * Keeps a stored login one and the same file for the person and for a sealed session. A login is
 * renewed by replacing its file, on either side, and the old one is worth nothing from then on:
 * so the newer file is linked to the other side's name, never copied and left to age.
 */
export class Logins {
  readonly #pairs: readonly LoginPair[];
  readonly #log: Log;
  #watchers: FSWatcher[] = [];

  constructor(pairs: readonly LoginPair[], log: Log) {
    this.#pairs = pairs;
    this.#log = log;
  }

  /** Brings both sides together now, and from now on whenever one of them changes. */
  open(): void {
    this.reconcile();
    this.#watchers = this.#pairs.flatMap((pair) =>
      [pair.own, pair.inside].flatMap((path) => this.#watch(path)),
    );
  }

  close(): void {
    for (const watcher of this.#watchers.splice(0)) watcher.close();
  }

  /** A login that cannot be kept is told and left as it is on both sides. */
  reconcile(): void {
    for (const pair of this.#pairs) {
      try {
        reconcileLogin(pair);
      } catch (error) {
        this.#log('error', 'a stored login could not be kept the same in a sealed session', {
          path: pair.own,
          reason: messageOf(error),
        });
      }
    }
  }

  #watch(path: string): FSWatcher[] {
    try {
      const watcher = watch(dirname(path), { persistent: false }, (_event, name) => {
        if (name === basename(path)) this.reconcile();
      });
      // The directory is gone: what is left is brought together at the next start.
      watcher.on('error', () => watcher.close());
      return [watcher];
    } catch (error) {
      if (systemCodeOf(error) === 'ENOENT') return [];
      throw error;
    }
  }
}

/** Makes both names of a login lead to the newer of the two files. */
export function reconcileLogin({ own, inside }: LoginPair): void {
  const theirs = statOf(own);
  const ours = statOf(inside);
  // A session that logs in by itself, or after the person logged out, gives them no login.
  if (!theirs?.isFile() || isSame(theirs, ours)) return;
  if (ours?.isFile() && ours.mtimeMs > theirs.mtimeMs)
    return replace(inside, own, ours, readFileSync(own, 'utf8'));
  mkdirSync(dirname(inside), { recursive: true, mode: 0o700 });
  replace(own, inside, theirs, null);
}

/** The other file of a pair that could not be linked is as new and as large. */
function isSame(one: Stats, other: Stats | null): boolean {
  if (other === null) return false;
  if (one.ino === other.ino && one.dev === other.dev) return true;
  return one.mtimeMs === other.mtimeMs && one.size === other.size;
}

/**
 * Gives `to` the file of `from`, in one step. What a session wrote is looked at under its new
 * name first, where the session cannot exchange it any more for a link to somewhere else.
 */
function replace(from: string, to: string, expected: Stats, before: string | null): void {
  const passing = `${to}.pilothouse-${process.pid}`;
  rmSync(passing, { force: true });
  try {
    linkOrCopy(from, passing, expected);
    const now = lstatSync(passing);
    if (!now.isFile() || now.size > LOGIN_MAX_BYTES) throw new Error('it is no file of that kind');
    if (before !== null && isJson(before) && !isJson(readFileSync(passing, 'utf8')))
      throw new Error('the session wrote something else than a login into it');
    renameSync(passing, to);
  } finally {
    // Still there where it was refused, and where both names led to the same file already.
    rmSync(passing, { force: true });
  }
}

function linkOrCopy(from: string, to: string, { atime, mtime }: Stats): void {
  try {
    linkSync(from, to);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code !== 'EXDEV' && code !== 'EPERM' && code !== 'EMLINK') throw error;
    copyFileSync(from, to);
    utimesSync(to, atime, mtime);
  }
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

function statOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT' || systemCodeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}
