import { GITHUB_API } from '../../protocol/github.ts';

/** A forge that the machine's limits name. */
export type ForgeLimits = {
  /** The host as it stands in a remote's address. */
  host: string;
  /** The root of its API. */
  apiUrl: string;
  /** The variable of the runner's environment that holds a token; null asks `gh auth token`. */
  tokenVariable: string | null;
};

/** Where a repository is on a forge that speaks GitHub's API. */
export type ForgeRepository = ForgeLimits & { repository: string };

const GITHUB: ForgeLimits = { host: 'github.com', apiUrl: GITHUB_API, tokenVariable: null };

const SCP = /^(?:[^@/:\s]+@)?([\w.-]+):(?!\/\/)(.+)$/;

/** The host and the path of a remote's address, whatever way it goes; null for a directory. */
export function parseAddress(address: string): { host: string; path: string } | null {
  const scp = address.includes('://') ? null : SCP.exec(address);
  const url = scp ? null : URL.parse(address);
  const host = (scp?.[1] ?? url?.hostname ?? '').toLowerCase();
  const path = (scp?.[2] ?? url?.pathname ?? '').replaceAll(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  return host === '' || path === '' ? null : { host, path };
}

/** Whether two addresses lead to one repository, whatever way each goes. Pure. */
export function isSamePlace(one: string, other: string): boolean {
  const [a, b] = [parseAddress(one), parseAddress(other)];
  return one === other || (a !== null && a.host === b?.host && a.path === b.path);
}

/**
 * Finds the repository that one of a remote's addresses names on a forge that is known: GitHub, or
 * one of the machine's limits. Pure.
 */
export function findRepository(
  addresses: readonly string[],
  forges: readonly ForgeLimits[],
): ForgeRepository | null {
  for (const address of addresses) {
    const parsed = parseAddress(address);
    if (!parsed || !/^[\w.-]+\/[\w.-]+$/.test(parsed.path)) continue;
    const forge = [...forges, GITHUB].find(({ host }) => host.toLowerCase() === parsed.host);
    if (forge) return { ...forge, repository: parsed.path };
  }
  return null;
}
