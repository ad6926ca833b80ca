import { createMiddleware } from 'hono/factory';
import { log } from '../lib/logger.ts';
import type { AppTypes } from './context.ts';

/** Gives every request an id and writes one line about how an operation ended. */
export const requestLog = createMiddleware<AppTypes>(async (context, next) => {
  const requestId = crypto.randomUUID();
  context.set('requestId', requestId);
  const startedAt = Date.now();
  await next();
  if (!context.req.path.startsWith('/v1/')) return;
  const { status } = context.res;
  const principal = context.get('principal');
  log(status >= 500 ? 'error' : 'info', context.get('operation') ?? 'http.unmatched', {
    requestId,
    method: context.req.method,
    status,
    durationMs: Date.now() - startedAt,
    principal: principal?.kind,
    code: context.get('errorCode'),
  });
});
