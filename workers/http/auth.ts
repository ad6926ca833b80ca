import { getCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { PilothouseError } from '../../protocol/errors.ts';
import { appendAccess } from '../access/log.ts';
import { type Presented, type PrincipalKind, readPrincipal } from '../access/principal.ts';
import { openDatabase } from '../db/client.ts';
import { type AppContext, type AppTypes, isReading } from './context.ts';

export const SESSION_COOKIE = 'pilothouse_session';

/** The secret that a request presents. A bearer wins over a cookie: whoever sends one means it. */
function readPresented(context: AppContext): Presented | null {
  const bearer = /^Bearer (\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
  if (bearer) return { by: 'bearer', token: bearer };
  const cookie = getCookie(context, SESSION_COOKIE);
  return cookie ? { by: 'cookie', token: cookie } : null;
}

/**
 * Names who may call an operation, and records who did when it changes something. Nothing of
 * the operation runs before the caller is known.
 */
export function allow(operation: string, ...kinds: readonly PrincipalKind[]) {
  return createMiddleware<AppTypes>(async (context, next) => {
    context.set('operation', operation);
    const database = openDatabase(context.env.DB);
    const presented = readPresented(context);
    const principal =
      presented && (await readPrincipal(database, presented, context.env.HOST_TOKEN, Date.now()));
    if (!principal) throw new PilothouseError('unauthenticated');
    context.set('principal', principal);
    if (!kinds.includes(principal.kind))
      throw new PilothouseError('forbidden', { principal: principal.kind });
    await next();
    if (isReading(context.req.method)) return;
    const made = context.get('made');
    const { path } = context.req;
    const access = {
      requestId: context.get('requestId'),
      operation,
      target: made === undefined ? path : `${path}/${made}`,
      status: context.res.status,
      errorCode: context.get('errorCode') ?? null,
    };
    await appendAccess(database, principal, access, Date.now());
  });
}

/** Marks an operation that anybody may call. */
export function allowAnyone(operation: string) {
  return createMiddleware<AppTypes>(async (context, next) => {
    context.set('operation', operation);
    await next();
  });
}
