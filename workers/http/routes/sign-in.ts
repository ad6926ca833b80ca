import { createRoute, z } from '@hono/zod-openapi';
import { setCookie } from 'hono/cookie';
import { PilothouseError } from '../../../protocol/errors.ts';
import { accepted } from '../../../protocol/http.ts';
import { consumeOnce, issueCredential, VALID_FOR_MS } from '../../access/credentials.ts';
import { appendAccess } from '../../access/log.ts';
import { openDatabase } from '../../db/client.ts';
import { SESSION_COOKIE } from '../auth.ts';
import { type App, type AppContext } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody } from '../describe.ts';

const route = createRoute({
  ...calledBy('access.signIn'),
  method: 'post',
  path: '/v1/sign-in',
  summary: 'Exchange a one-time link for a session cookie',
  request: { body: jsonBody(z.object({ token: z.string().min(1).max(200) })) },
  responses: { 200: json(accepted, 'Signed in; the cookie is set'), ...ERROR_ANSWER },
});

/** Of many that use one link at the same moment, one gets in: the others get `link_used`. */
export function registerSignIn(app: App): void {
  app.openapi(route, async (context) => {
    const database = openDatabase(context.env.DB);
    const nowMs = Date.now();
    const link = await consumeOnce(database, 'link', context.req.valid('json').token, nowMs);
    if (!link) throw new PilothouseError('link_used');
    const { accountId, actorId } = link;
    const issue = { kind: 'session', name: 'console', accountId, actorId } as const;
    const { token } = await issueCredential(database, issue, nowMs);
    setCookie(context, SESSION_COOKIE, token, {
      httpOnly: true,
      sameSite: 'Strict',
      secure: isSecure(context),
      path: '/',
      maxAge: (VALID_FOR_MS.session ?? 0) / 1000,
    });
    const principal = {
      kind: 'person',
      name: 'console',
      accountId,
      actorId,
      runnerId: null,
      decisions: null,
      tokenHash: null,
      expiresAt: null,
    } as const;
    const access = {
      requestId: context.get('requestId'),
      operation: 'access.signIn',
      target: '/v1/sign-in',
    };
    await appendAccess(database, principal, { ...access, status: 200, errorCode: null }, nowMs);
    return context.json({ accepted: true as const }, 200);
  });
}

/** Whether the browser talks https, to us or to a tunnel that ends it in front of us. */
function isSecure(context: AppContext): boolean {
  return (
    new URL(context.req.url).protocol === 'https:' ||
    context.req.header('x-forwarded-proto') === 'https'
  );
}
