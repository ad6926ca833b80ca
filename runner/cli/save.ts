import { writeFileSync } from 'node:fs';
import { EXIT, Failure, messageOf, systemCodeOf } from '../failure.ts';

/** Saves what a command made, for its owner alone. Writes over a file only with `force`. */
export function saveFile(file: string, text: string, force: boolean): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: force ? 'w' : 'wx' });
  } catch (error) {
    const words =
      systemCodeOf(error) === 'EEXIST'
        ? `${file} is there already. Choose another file with --output, or add --force.`
        : `${file} could not be written: ${messageOf(error)}. Choose another with --output.`;
    throw new Failure(EXIT.refused, 'file_refused', words);
  }
}
