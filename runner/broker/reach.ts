import { findRepository, type ForgeLimits, type ForgeRepository } from './address.ts';
import type { ForgeAccess } from './github.ts';
import { readToken, sayNoToken } from './token.ts';

/** What the machine has to reach a forge with. */
export type Reach = {
  /** How the remote is addressed, as the person wrote it first. */
  addresses(): Promise<readonly string[]>;
  forges: readonly ForgeLimits[];
  env: NodeJS.ProcessEnv;
  charge?: ForgeAccess['charge'];
};

export type Reached = { ok: true; forge: ForgeAccess } | { ok: false; reason: string };

/**
 * Finds the repository of a session on its forge, and a login for it. `named` is what `--repo` says,
 * which may be that repository and no other.
 */
export async function reachForge(
  { addresses, forges, env, charge }: Reach,
  named: string | null = null,
): Promise<Reached> {
  const place = findRepository(await addresses(), forges);
  if (!place)
    return {
      ok: false,
      reason:
        'the remote is on no forge that this machine works with: GitHub, or one that limits.toml names ([[forges]]); name the branch to the person',
    };
  if (named !== null && !isNamed(place, named))
    return {
      ok: false,
      reason: `the gate is for ${place.repository} alone, the repository of this session; leave out --repo`,
    };
  const token = await readToken(place, env);
  return token === null
    ? { ok: false, reason: sayNoToken(place) }
    : { ok: true, forge: { ...place, token, charge } };
}

/** OWNER/NAME or HOST/OWNER/NAME, in whatever case: a forge tells no case of them apart. */
function isNamed({ host, repository }: ForgeRepository, named: string): boolean {
  const name = named.toLowerCase();
  return [repository, `${host}/${repository}`].some((each) => each.toLowerCase() === name);
}
