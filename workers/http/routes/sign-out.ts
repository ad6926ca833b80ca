import { createRoute } from '@hono/zod-openapi';
import { deleteCookie } from 'hono/cookie';
import { accepted } from '../../../protocol/http.ts';
import { endCredential } from '../../access/credentials.ts';
import { openDatabase } from '../../db/client.ts';
import { SESSION_COOKIE } from '../auth.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json } from '../describe.ts';

const route = createRoute({
  ...calledBy('access.signOut', 'person'),
  method: 'post',
  path: '/v1/sign-out',
  summary: 'End this session cookie, here and in the database',
  responses: { 200: json(accepted, 'Signed out'), ...ERROR_ANSWER },
});

/** Ends the credential in the database too: a copy of the cookie is worthless. */
export function registerSignOut(app: App): void {
  app.openapi(route, async (context) => {
    const { tokenHash } = context.get('principal');
    if (tokenHash) await endCredential(openDatabase(context.env.DB), tokenHash, Date.now());
    deleteCookie(context, SESSION_COOKIE, { path: '/' });
    return context.json({ accepted: true as const }, 200);
  });
}
