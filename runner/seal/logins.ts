import { watch, type FSWatcher, type Stats } from 'node:fs';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { messageOf, systemCodeOf } from '../failure.ts';
import type { Log } from '../log.ts';

/**
 * One stored login: the person's own file, and where a sealed session has it. `apart`: as two files
 * that are kept the same, for a program that renews no file with a second name.
 */
export type LoginPair = { own: string; inside: string; apart: boolean };

/** Far above any stored login. */
const LOGIN_MAX_BYTES = 1024 * 1024;

/**
 * Keeps a stored login one and the same file for the person and for a sealed session. A login is
 * renewed by replacing its file, on either side, and the old one is worth nothing from then on:
 * so the newer file is brought to the other side's name at once, and none is left to age.
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
export function reconcileLogin({ own, inside, apart }: LoginPair): void {
  const theirs = statOf(own);
  const ours = statOf(inside);
  // A session that logs in by itself, or after the person logged out, gives them no login.
  if (!theirs?.isFile() || isKept(own, theirs, inside, ours, apart)) return;
  if (ours?.isFile() && ours.mtimeMs > theirs.mtimeMs)
    return replace(inside, own, ours, readFileSync(own, 'utf8'), apart);
  mkdirSync(dirname(inside), { recursive: true, mode: 0o700 });
  replace(own, inside, theirs, null, apart);
}

function isKept(
  own: string,
  theirs: Stats,
  inside: string,
  ours: Stats | null,
  apart: boolean,
): boolean {
  if (!ours?.isFile()) return false;
  const linked = theirs.ino === ours.ino && theirs.dev === ours.dev;
  // Two files are the same by what is in them: the time of a copy is not exact.
  return linked ? !apart : theirs.size === ours.size && readLogin(own).equals(readLogin(inside));
}

/**
 * Gives `to` the file of `from`, in one step. What a session wrote is looked at under its new
 * name first, where the session cannot exchange it any more for a link to somewhere else.
 */
function replace(
  from: string,
  to: string,
  expected: Stats,
  before: string | null,
  apart: boolean,
): void {
  const passing = `${to}.pilothouse-${process.pid}`;
  rmSync(passing, { force: true });
  try {
    if (apart) copy(from, passing, expected);
    else linkOrCopy(from, passing, expected);
    const now = lstatSync(passing);
    if (!now.isFile() || now.size > LOGIN_MAX_BYTES) throw new Error(NO_LOGIN);
    if (before !== null && isJson(before) && !isJson(readFileSync(passing, 'utf8')))
      throw new Error('the session wrote something else than a login into it');
    renameSync(passing, to);
  } finally {
    // Still there where it was refused, and where both names led to the same file already.
    rmSync(passing, { force: true });
  }
}

function linkOrCopy(from: string, to: string, expected: Stats): void {
  try {
    linkSync(from, to);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code !== 'EXDEV' && code !== 'EPERM' && code !== 'EMLINK') throw error;
    copy(from, to, expected);
  }
}

function copy(from: string, to: string, { atime, mtime }: Stats): void {
  writeFileSync(to, readLogin(from), { flag: 'wx', mode: 0o600 });
  utimesSync(to, atime, mtime);
}

/** Reads a login, and nothing that a session may have put there to have something else read. */
function readLogin(path: string): Buffer {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const found = fstatSync(file);
    if (!found.isFile() || found.size > LOGIN_MAX_BYTES) throw new Error(NO_LOGIN);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

const NO_LOGIN = 'it is no file of that kind';

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
