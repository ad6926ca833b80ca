import { dirname, join, resolve } from 'node:path';
import type { Worked } from '../guard/checkout.ts';
import { gitOrNull, runGit, type ConfigPair, type GitOptions } from '../guard/git.ts';
import { readPersonalConfig, readSource, safeDirectories } from '../guard/source.ts';
import { forgeOptions, readRemoteSettings } from '../gate/forge.ts';
import { messageOf } from '../failure.ts';
import { parseRefs, type PlaceSnapshot } from './snapshot.ts';

/** More remotes than this are not asked: each is a call over the network after every turn. */
const MAX_REMOTES = 6;
/** A remote that is slower is not compared this time. */
export const REMOTE_TIMEOUT_MS = 10_000;

/**
 * Where a session's refs are looked at. Read once, before the session can write the configuration
 * of a repository that it works in: what it writes there later decides nothing.
 */
export type Places = {
  /** The person's repository, or the one that the session works in. */
  repository: GitOptions | null;
  /** Its working tree. */
  top: string;
  /** Its reflogs, and those of the working tree. */
  logs: readonly string[];
  remotes: readonly { name: string; address: string }[];
  settings: readonly ConfigPair[];
  /** An empty directory of the runner's, which remotes are asked from. */
  neutral: string;
};

/** Finds the repository of a checkout and its remotes; null when there is none. */
export async function readPlaces(checkout: Worked, neutral: string): Promise<Places | null> {
  const found = await findRepository(checkout);
  if (!found) return null;
  const { common, logs } = found;
  const config = await readPersonalConfig(common);
  return {
    repository: { directory: common, env: { GIT_DIR: common }, config: safeDirectories(config) },
    top: found.top,
    logs,
    remotes: listRemotes(config, found.top),
    settings: await readRemoteSettings(common),
    neutral,
  };
}

async function findRepository(
  checkout: Worked,
): Promise<{ common: string; top: string; logs: string[] } | null> {
  if (checkout.mode === 'own') {
    const { commonDirectory, top } = checkout.source;
    return { common: commonDirectory, top, logs: [join(checkout.top, '.git', 'logs')] };
  }
  const source = await readSource(checkout.directory).catch(() => null);
  if (!source) return null;
  const { commonDirectory: common, gitDirectory, top } = source;
  return {
    common,
    top,
    logs: [...new Set([common, gitDirectory])].map((each) => join(each, 'logs')),
  };
}

/** Where each remote is pushed to; two names of one address are one remote. */
function listRemotes(
  config: ReadonlyMap<string, readonly string[]>,
  top: string,
): Places['remotes'] {
  const remotes = new Map<string, string>();
  for (const key of config.keys()) {
    const name = /^remote\.(.+)\.url$/.exec(key)?.[1];
    const address = name && (config.get(`remote.${name}.pushurl`) ?? config.get(key))?.[0];
    if (!name || !address || [...remotes.values()].includes(address)) continue;
    remotes.set(name, /^[^/]*:/.test(address) ? address : resolve(top, address));
  }
  return [...remotes].slice(0, MAX_REMOTES).map(([name, address]) => ({ name, address }));
}

/** The refs of the repository itself. */
export async function lookAtRepository({ repository }: Places): Promise<PlaceSnapshot> {
  const place = { name: 'repository', remote: false };
  if (!repository) return { ...place, refs: null, skipped: 'There is none.', head: null };
  const listed = await runGit(['for-each-ref', '--format=%(objectname) %(refname)'], repository);
  if (listed.exitCode !== 0)
    return { ...place, refs: null, skipped: firstLine(listed.stderr), head: null };
  const head = await gitOrNull(['symbolic-ref', '--quiet', '--short', 'HEAD'], repository);
  return { ...place, refs: parseRefs(listed.stdout).refs, skipped: null, head };
}

/** The branches and tags of one remote, asked with the person's credentials and nobody at hand. */
export async function lookAtRemote(
  { name, address }: Places['remotes'][number],
  { settings, neutral }: Places,
  env: NodeJS.ProcessEnv,
  timeoutMs = REMOTE_TIMEOUT_MS,
): Promise<PlaceSnapshot> {
  const place = { name, remote: true };
  const options = forgeOptions(neutral, settings, env);
  const args = ['ls-remote', '--symref', '--', address, 'HEAD', 'refs/heads/*', 'refs/tags/*'];
  try {
    const { exitCode, stdout, stderr } = await runGit(args, {
      ...options,
      timeoutMs,
      // A repository around the runner's own directory is nobody's business here.
      env: { ...options.env, GIT_CEILING_DIRECTORIES: dirname(neutral) },
    });
    if (exitCode === 0) return { ...place, ...parseRefs(stdout), skipped: null };
    return { ...place, refs: null, skipped: firstLine(stderr), head: null };
  } catch (error) {
    return { ...place, refs: null, skipped: messageOf(error), head: null };
  }
}

/** What git says of a failure, without the address, which may hold a login. */
function firstLine(stderr: string): string {
  const line = stderr.split('\n').find((each) => each.trim() !== '') ?? 'git gave no reason';
  return `${line.replaceAll(/\w+:\/\/\S+/g, 'the remote').slice(0, 200)}.`;
}
