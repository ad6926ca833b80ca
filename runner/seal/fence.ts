import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configText } from '../guard/config-text.ts';
import type { SealPlaces } from './places.ts';

/** Said by git in the place of an ssh that finds no key. Plain words: a shell reads it. */
const NO_KEY =
  'This session is fenced: it has no ssh keys and no logins. Push a branch of its own to origin, which is the gate; a person does the rest.';

/** No host has this name; ssh is never asked for it. */
const NOWHERE = 'ssh://the-gate-is-the-only-remote.invalid/';

/**
 * Makes what stands around a session that is fenced and not sealed, and says which variables put
 * it there: git without the person's configuration, credentials, keys and prompts, and command
 * lines of forges without their logins. It holds off what is done in good faith, on any machine;
 * whoever means to find the person's files still can.
 */
export function makeFence(places: Pick<SealPlaces, 'top'>): Record<string, string> {
  const top = join(places.top, 'fence');
  const forges = ['gh', 'glab-cli', 'hub'].map((name) => join(top, name));
  for (const directory of forges) mkdirSync(directory, { recursive: true, mode: 0o700 });
  const [gh = '', glab = '', hub = ''] = forges;
  const config = join(top, 'gitconfig');
  writeFileSync(config, CONFIG, { mode: 0o600 });
  return {
    GIT_CONFIG_GLOBAL: config,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_SSH_COMMAND: `echo '${NO_KEY}' >&2; false`,
    GIT_SSH_VARIANT: 'ssh',
    GCM_INTERACTIVE: 'never',
    GH_CONFIG_DIR: gh,
    GLAB_CONFIG_DIR: glab,
    HUB_CONFIG: join(hub, 'hub'),
  };
}

/**
 * An empty helper clears the list of those before it. A push over HTTPS could still take a login
 * from `~/.netrc`, which no variable moves, and so is sent the way that has none.
 */
const CONFIG = configText([
  { name: 'credential', values: [['helper', '']] },
  { name: 'core', values: [['askPass', '']] },
  { name: 'url', subsection: NOWHERE, values: [['pushInsteadOf', 'https://']] },
]);
