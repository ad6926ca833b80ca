import { homedir } from 'node:os';

/** The home directory of the person whose environment this is; the process's own when it names none. */
export const homeOf = (env: NodeJS.ProcessEnv): string => env['HOME'] || homedir();
