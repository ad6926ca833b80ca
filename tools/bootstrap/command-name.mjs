import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join, sep } from 'node:path';

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * How the commands are run on this machine: by their own name where a terminal finds it, else
 * through npx. npm puts `node_modules/.bin` on the path of what it runs, which no terminal has.
 * @param {string | undefined} path as the variable PATH
 * @param {(file: string) => boolean} exists whether a file can be run
 */
export function commandNameOf(path, exists = isExecutable) {
  const found = (path ?? '')
    .split(delimiter)
    .filter((directory) => isAbsolute(directory) && !directory.split(sep).includes('node_modules'))
    .some((directory) => exists(join(directory, 'pilothouse')));
  return found ? 'pilothouse' : 'npx pilothouse';
}
