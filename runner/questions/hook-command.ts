import { fileURLToPath } from 'node:url';

/** The words of an agent's hook, but for those that end them. */
export const hookWords = (socketPath: string): [string, ...string[]] => [
  process.execPath,
  fileURLToPath(new URL('./hook.ts', import.meta.url)),
  socketPath,
];
