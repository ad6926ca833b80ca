import { GITHUB_API } from '../../protocol/github.ts';
import type { ForgeLimits } from '../broker/address.ts';
import type { LimitsFile } from './schema.ts';

/** The part of limits.toml about forges; GitHub Enterprise has its API below its own host. */
export function forgeLimitsOf(forges: LimitsFile['forges']): ForgeLimits[] {
  return (forges ?? []).map(({ host, api, token }) => ({
    host,
    apiUrl: api ?? (host === 'github.com' ? GITHUB_API : `https://${host}/api/v3`),
    tokenVariable: token ?? null,
  }));
}
