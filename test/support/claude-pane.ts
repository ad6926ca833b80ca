import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installEngine } from '../../tools/engines/install.ts';
import { CANARY_KEY, claudeEnv } from './model-api/raw-claude.ts';

/**
 * The command line of a real claude for a pane: with a home where every question of its first start
 * is answered, in `work`, against a loopback model API.
 */
export function claudeArgv(
  home: string,
  work: string,
  apiUrl: string,
  words: readonly string[] = [],
): string[] {
  const answers = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: [CANARY_KEY.slice(-20)], rejected: [] },
    projects: { [work]: { hasTrustDialogAccepted: true } },
  };
  writeFileSync(join(home, '.claude.json'), JSON.stringify(answers));
  const variables = Object.entries(claudeEnv(home, apiUrl)).map((pair) => pair.join('='));
  const mode = ['--permission-mode', 'default'];
  return ['env', '-C', work, ...variables, installEngine('claude'), ...mode, ...words];
}
