import { createRoute } from '@hono/zod-openapi';
import { deleteCookie } from 'hono/cookie';
import { accepted } from '../../../protocol/http.ts';
import { withdrawCredential } from '../../access/withdraw.ts';
import { openDatabase } from '../../db/client.ts';
import { SESSION_COOKIE } from '../auth.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('access.signOut', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/sign-out',
  summary: 'End the session cookie or the token that asks, and every socket opened with it',
  responses: { 200: json(accepted, 'Signed out'), ...ERROR_ANSWER },
});

/** Ends the credential in the database too: a copy of it is worthless, and whatever it watches ends. */
export function registerSignOut(app: App): void {
  app.openapi(route, async (context) => {
    const { tokenHash } = context.get('principal');
    if (tokenHash)
      await withdrawCredential(context.env, openDatabase(context.env.DB), tokenHash, Date.now());
    deleteCookie(context, SESSION_COOKIE, { path: '/' });
    return context.json({ accepted: true as const }, 200);
  });
}
