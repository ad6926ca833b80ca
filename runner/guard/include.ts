import { appendFile, copyFile, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { constants } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { PilothouseError } from '../../protocol/errors.ts';
import { systemCodeOf } from '../failure.ts';
import { isWithin } from '../limits/paths.ts';
import { gitOrNull } from './git.ts';
import type { Source } from './source.ts';

/**
 * Copies the files of the include list from the person's working tree into a new checkout, and
 * tells the checkout's git to ignore them, so that `git add --all` of an engine does not commit a
 * secret. Returns those that are there now; files that do not exist or that git tracks are
 * passed over. Throws `workspace_refused` for a file that leads out of the repository.
 */
export async function copyIncluded(
  source: Source,
  top: string,
  include: readonly string[],
): Promise<string[]> {
  const included: string[] = [];
  for (const entry of include) {
    const path = normalize(entry);
    const from = await realFileOf(source.top, path);
    if (from === null || (await isTracked(top, path))) continue;
    await makeFolders(top, dirname(path));
    try {
      await copyFile(from, join(top, path), constants.COPYFILE_EXCL);
    } catch (error) {
      // It came with the uncommitted changes; it is as secret as if it had been copied.
      if (systemCodeOf(error) !== 'EEXIST') throw error;
    }
    await appendFile(
      join(top, '.git', 'info', 'exclude'),
      `/${path.replaceAll(/[\\*?[\] ]/g, '\\$&')}\n`,
    );
    included.push(path);
  }
  return included;
}

async function realFileOf(top: string, path: string): Promise<string | null> {
  try {
    const real = await realpath(join(top, path));
    if (!isWithin(top, real)) throw leadsOut(path);
    return (await stat(real)).isFile() ? real : null;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT' || systemCodeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

async function isTracked(top: string, path: string): Promise<boolean> {
  return (
    (await gitOrNull(['ls-files', '--error-unmatch', '--', path], { directory: top })) !== null
  );
}

/** Makes the folders one by one: a folder that the repository holds as a link may lead anywhere. */
async function makeFolders(top: string, folder: string): Promise<void> {
  if (folder === '.') return;
  let at = top;
  for (const name of folder.split('/')) {
    at = join(at, name);
    try {
      await mkdir(at);
    } catch (error) {
      if (systemCodeOf(error) !== 'EEXIST') throw error;
      if (!(await lstat(at)).isDirectory()) throw leadsOut(folder);
    }
  }
}

function leadsOut(path: string): PilothouseError {
  const detail = `${path}, named in \`include\` of limits.toml, leads out of the repository through a link; copy the file there instead`;
  return new PilothouseError('workspace_refused', { detail });
}
