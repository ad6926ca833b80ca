import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { listProcessesOf } from '../support/processes.ts';

/** Files below a directory. One that went while it was looked at holds none any more. */
function listFiles(directory: string): string[] {
  return entriesOf(directory).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return listFiles(path);
    return entry.isFile() ? [path] : [];
  });
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** A file that is gone between listing and reading holds nothing any more. */
function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

export type Found = { looked: number; places: string[] };

/** Files below a directory whose bytes hold the text: databases and their journals included. */
export function findInFiles(directory: string, text: string): Found {
  const files = listFiles(directory);
  const places = files.filter((path) => readIfThere(path).includes(text));
  return { looked: files.length, places: places.map((path) => relative(directory, path)) };
}

/**
 * Columns of all tables of all SQLite databases below a directory whose values hold the text.
 * Needs databases that nobody holds: a value may be split over pages, so bytes alone do not do.
 */
export function findInTables(directory: string, text: string): Found {
  const found: Found = { looked: 0, places: [] };
  for (const path of listFiles(directory)) {
    if (!readIfThere(path).subarray(0, 15).equals(Buffer.from('SQLite format 3'))) continue;
    const db = new DatabaseSync(path, { readOnly: true });
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of tables) {
      found.looked++;
      const all = db.prepare(`SELECT * FROM "${String(name)}"`);
      // Times in nanoseconds are more than a number holds.
      all.setReadBigInts(true);
      for (const row of all.iterate()) {
        for (const [column, value] of Object.entries(row)) {
          const bytes = value instanceof Uint8Array ? Buffer.from(value) : String(value);
          if (bytes.includes(text))
            found.places.push(`${relative(directory, path)} ${String(name)}.${column}`);
        }
      }
    }
    db.close();
  }
  return found;
}

/** Command lines of all processes of an installation that hold the text. Linux only. */
export function findInCommandLines(home: string, text: string): Found {
  const pids = listProcessesOf(home);
  const lines = pids.map((pid) => readIfThere(`/proc/${pid}/cmdline`).toString());
  return { looked: pids.length, places: lines.filter((line) => line.includes(text)) };
}

/** How many processes of this machine have exactly this command line. Linux only. */
export const countCommandLines = (line: string): number =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readIfThere(`/proc/${pid}/cmdline`).toString().split('\0').join(' ').trim())
    .filter((each) => each === line).length;
