import { createRoute } from '@hono/zod-openapi';
import { engineEntry, saveEngineRequest } from '../../../protocol/engines.ts';
import { requirePersonOrCli } from '../../access/principal.ts';
import { openDatabase } from '../../db/client.ts';
import { saveEngine } from '../../engines/save.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('engines.save', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/engines',
  summary: 'Save an engine of your own as its next version',
  request: { body: jsonBody(saveEngineRequest) },
  responses: { 201: json(engineEntry, 'The engine as it was saved'), ...ERROR_ANSWER },
});

/** Saving runs nothing: each machine asks for its own approval. Refuses `engine_changed`. */
export function registerSaveEngine(app: App): void {
  app.openapi(route, async (context) => {
    const saver = requirePersonOrCli(context.get('principal'));
    const database = openDatabase(context.env.DB);
    return context.json(
      await saveEngine(database, saver, context.req.valid('json'), Date.now()),
      201,
    );
  });
}
