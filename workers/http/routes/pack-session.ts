import { createRoute, z } from '@hono/zod-openapi';
import { artifactPack } from '../../../protocol/artifact-pack.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { openDatabase } from '../../db/client.ts';
import { packSession } from '../../sessions/pack.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('sessions.pack', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/sessions/{sessionId}/artifact-pack',
  summary: 'The evidence of a session: launches, processes, outcome, acts and its last entries',
  request: { params: z.object({ sessionId }) },
  responses: { 200: json(artifactPack, 'The pack, as a file to keep'), ...ERROR_ANSWER },
});

/** A browser saves it as a file. Refuses `session_not_found`. */
export function registerPackSession(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { sessionId: id } = context.req.valid('param');
    const pack = await packSession(
      context.env,
      openDatabase(context.env.DB),
      accountId,
      id,
      Date.now(),
    );
    context.header('content-disposition', `attachment; filename="${id}.artifact-pack.json"`);
    return context.json(pack, 200);
  });
}
