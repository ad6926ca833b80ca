import { createMiddleware } from 'hono/factory';
import { COMMAND_HEADER } from '../../protocol/command-name.ts';
import type { AppTypes } from './context.ts';

/**
 * Only our own files run and only our own address is talked to. Styles may be inline, because
 * the console's primitives place menus and dialogs by style attributes.
 */
function contentPolicy(host: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    `connect-src 'self' ws://${host} wss://${host}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Whether a page is reached by the plain address that `--host` opens. A browser ignores the opener
 * policy there, because nothing is encrypted, and says so as an error on every page.
 */
function isOpenedAddress(hostname: string): boolean {
  return /^[\d.]+$/.test(hostname) && !hostname.startsWith('127.');
}

/** Adds the headers of every answer; those of an upgrade to a socket cannot be changed. */
export const securityHeaders = createMiddleware<AppTypes>(async (context, next) => {
  await next();
  if (context.res.status === 101) return;
  const response = new Response(context.res.body, context.res);
  const { headers } = response;
  headers.set('content-security-policy', contentPolicy(new URL(context.req.url).host));
  headers.set('x-content-type-options', 'nosniff');
  headers.set('x-frame-options', 'DENY');
  headers.set('referrer-policy', 'no-referrer');
  const { hostname } = new URL(context.req.url);
  if (!isOpenedAddress(hostname)) headers.set('cross-origin-opener-policy', 'same-origin');
  headers.set('cross-origin-resource-policy', 'same-origin');
  headers.set('x-request-id', context.get('requestId'));
  if (context.req.path.startsWith('/v1/')) headers.set('cache-control', 'no-store');
  if (context.env.COMMAND_NAME) headers.set(COMMAND_HEADER, context.env.COMMAND_NAME);
  // Hono merges headers of the response it replaces; clearing first keeps each of them single.
  context.res = undefined;
  context.res = response;
});
