import { resolve } from 'node:path';
import type { Base } from './base.ts';
import type { ConfigSection } from './config-text.ts';
import { git } from './git.ts';
import { configOf, safeDirectories, type Source } from './source.ts';

export type Origin = {
  /** The remote's name in the person's repository. */
  remote: string;
  section: ConfigSection;
  /** Where the base's upstream branch stood when the person last fetched it. */
  tracked: { commit: string; ref: string } | null;
};

/**
 * The checkout's `origin` is the person's own upstream, with its push address, so that
 * `git push` means in the checkout what it means to the person. It is never their repository:
 * a session has no way to push into that. Null when the repository has no remote. `gated`: it is
 * the gate, which alone knows the real one and says itself where it is.
 */
export async function readOrigin(
  source: Source,
  base: Base,
  gated = false,
): Promise<Origin | null> {
  const remote = remoteOf(source, base);
  if (remote === null) return null;
  const addresses = (key: string): [string, string][] =>
    (source.config.get(`remote.${remote}.${key}`) ?? []).map((address) => [
      key,
      absoluteAddress(source, address),
    ]);
  const values: [string, string][] = [...addresses('url'), ...addresses('pushurl')];
  if (values.length === 0) return null;
  return {
    remote,
    section: {
      name: 'remote',
      subsection: 'origin',
      values: [...(gated ? [] : values), ['fetch', '+refs/heads/*:refs/remotes/origin/*']],
    },
    tracked: await readTracked(source, base, remote),
  };
}

function remoteOf(source: Source, base: Base): string | null {
  const own = base.branch === null ? null : configOf(source, `branch.${base.branch}.remote`);
  const names = [...source.config.keys()].flatMap(
    (key) => /^remote\.(.+)\.url$/.exec(key)?.[1] ?? [],
  );
  for (const name of [own, configOf(source, 'remote.pushdefault'), 'origin']) {
    if (name !== null && names.includes(name)) return name;
  }
  return names.length === 1 ? (names[0] ?? null) : null;
}

/** A path is written from the repository that it stands in; from the checkout it leads elsewhere. */
function absoluteAddress(source: Source, address: string): string {
  const isPath = !/^[^/]*:/.test(address) && !address.startsWith('/') && !address.startsWith('~');
  return isPath ? resolve(source.top, address) : address;
}

async function readTracked(source: Source, base: Base, remote: string): Promise<Origin['tracked']> {
  if (base.branch === null) return null;
  const options = { directory: source.top, config: safeDirectories(source.config) };
  const upstream = await git(
    ['for-each-ref', '--format=%(upstream)', `refs/heads/${base.branch}`],
    options,
  );
  const folder = `refs/remotes/${remote}/`;
  if (!upstream.startsWith(folder)) return null;
  const commit = await git(['for-each-ref', '--format=%(objectname)', upstream], options);
  return commit ? { commit, ref: `refs/remotes/origin/${upstream.slice(folder.length)}` } : null;
}
