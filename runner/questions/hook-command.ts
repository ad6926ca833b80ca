import { fileURLToPath } from 'node:url';
import { shellWord } from '../../protocol/shell-word.ts';

/** The command line of an agent's hook, for a POSIX shell, but for what ends it. */
export const hookCommand = (socketPath: string): string =>
  [process.execPath, fileURLToPath(new URL('./hook.ts', import.meta.url)), socketPath]
    .map((word) => shellWord(word))
    .join(' ');
