import { createRoute } from '@hono/zod-openapi';
import { PilothouseError } from '../../../protocol/errors.ts';
import { me } from '../../../protocol/http.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('access.readMe', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/me',
  summary: 'Who this credential is',
  responses: { 200: json(me, 'The caller'), ...ERROR_ANSWER },
});

/** Lets a page, or the host on its next start, see whether a credential still works. */
export function registerMe(app: App): void {
  app.openapi(route, (context) => {
    const { kind, name } = context.get('principal');
    if (kind === 'host' || kind === 'decisionKey' || kind === 'mcpKey')
      throw new PilothouseError('forbidden', { principal: kind });
    return context.json({ principal: { kind, name }, version: context.env.VERSION }, 200);
  });
}
