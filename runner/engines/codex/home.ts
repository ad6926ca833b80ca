import { join } from 'node:path';
import { homeOf } from '../../home.ts';

/** The directory of codex's own configuration and login. */
export const codexHome = (env: NodeJS.ProcessEnv): string =>
  env['CODEX_HOME'] ?? join(homeOf(env), '.codex');
