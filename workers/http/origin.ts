import { createMiddleware } from 'hono/factory';
import { PilothouseError } from '../../protocol/errors.ts';
import { type AppTypes, isReading, isUpgrade } from './context.ts';

/** The hosts in `ALLOWED_HOSTS`. None means none: nothing is served until somebody names one. */
export function parseAllowedHosts(list: string): ReadonlySet<string> {
  return new Set(
    list
      .split(',')
      .map((host) => host.trim().toLowerCase())
      .filter((host) => host !== ''),
  );
}

/** Whether an Origin header is one of our own pages. `null`, as a sandboxed page sends it, is not. */
export function isOwnOrigin(origin: string, hosts: ReadonlySet<string>): boolean {
  const match = /^https?:\/\/([^/]+)$/.exec(origin.toLowerCase());
  return match?.[1] !== undefined && hosts.has(match[1]);
}

/**
 * Refuses a Host that is not ours (a foreign name that was made to resolve to this machine), and
 * a change or a socket that a page of another site asks for. A request without an Origin comes
 * from no page: it has to bring a credential that no browser adds by itself.
 */
export const guardOrigin = createMiddleware<AppTypes>(async (context, next) => {
  const hosts = parseAllowedHosts(context.env.ALLOWED_HOSTS);
  const host = (context.req.header('host') ?? new URL(context.req.url).host).toLowerCase();
  if (!hosts.has(host))
    throw new PilothouseError('origin_refused', {
      detail: 'this Host is not one of this instance',
    });
  const origin = context.req.header('origin');
  const guarded = !isReading(context.req.method) || isUpgrade(context);
  if (guarded && origin !== undefined && !isOwnOrigin(origin, hosts))
    throw new PilothouseError('origin_refused');
  await next();
});
