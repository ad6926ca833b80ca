import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AdrFailure, messageOf } from '../failure.ts';

/** Writes a file whole or not at all. Throws `AdrFailure` with the reason when it cannot. */
export function writeWhole(
  root: string,
  path: string,
  text: string,
  options: { fresh: boolean },
): void {
  const target = join(root, path);
  try {
    mkdirSync(dirname(target), { recursive: true });
    if (options.fresh) writeFileSync(target, text, { flag: 'wx' });
    else {
      writeFileSync(`${target}.new`, text);
      renameSync(`${target}.new`, target);
    }
  } catch (error) {
    throw new AdrFailure(
      'not_written',
      `${path} could not be written (${messageOf(error)}), so nothing was changed in it. Look at the directory's permissions and what is there.`,
    );
  }
}
