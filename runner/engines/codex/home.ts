import { homedir } from 'node:os';
import { join } from 'node:path';

/** The directory of codex's own configuration and login. */
export const codexHome = (env: NodeJS.ProcessEnv): string =>
  env['CODEX_HOME'] ?? join(env['HOME'] ?? homedir(), '.codex');
