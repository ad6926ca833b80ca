import { gitOrNull, splitZero, type ConfigPair, type GitOptions } from '../guard/git.ts';

/** A remote that does not answer must not hold a session for ever. */
const FORGE_TIMEOUT_MS = 120_000;

/** What a repository's own configuration says about reaching its remotes. */
const ABOUT_REMOTES = /^(core\.sshcommand|ssh\.variant|credential\.|http\.|url\.|protocol\.|lfs\.)/;

/** Reads how the person's repository reaches its remotes, beside their global configuration. */
export async function readRemoteSettings(repository: string): Promise<ConfigPair[]> {
  const listed = await gitOrNull(['config', '--list', '--local', '--includes', '-z'], {
    directory: repository,
    personal: true,
  });
  return splitZero(listed ?? '').flatMap((entry): ConfigPair[] => {
    const end = entry.indexOf('\n');
    const key = end < 0 ? entry : entry.slice(0, end);
    return ABOUT_REMOTES.test(key) ? [[key, end < 0 ? 'true' : entry.slice(end + 1)]] : [];
  });
}

/**
 * Git towards the real remote, in a repository of the runner's: with the person's credentials and
 * without anybody to ask, for nobody sits there.
 */
export function forgeOptions(
  directory: string,
  settings: readonly ConfigPair[],
  env: NodeJS.ProcessEnv,
): GitOptions {
  const own = settings.findLast(([key]) => key === 'core.sshcommand')?.[1];
  const ssh = env['GIT_SSH_COMMAND'] ?? own ?? 'ssh';
  return {
    directory,
    config: settings,
    personal: true,
    timeoutMs: FORGE_TIMEOUT_MS,
    unhardened: ['credential.helper', 'core.sshCommand'],
    env: {
      GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
      GIT_SSH_COMMAND: `${ssh} -o BatchMode=yes -o ConnectTimeout=20`,
    },
  };
}
