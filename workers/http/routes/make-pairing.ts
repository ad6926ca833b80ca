import { createRoute } from '@hono/zod-openapi';
import { madePairing, makePairingRequest } from '../../../protocol/pairing.ts';
import { openDatabase } from '../../db/client.ts';
import { makePairing } from '../../runners/pair.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('pairings.make', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/pairings',
  summary: 'Make a code with which a machine is paired',
  description:
    'It works once and for ten minutes. With the id of a machine, that one may come again, with its sessions.',
  request: { body: jsonBody(makePairingRequest) },
  responses: { 201: json(madePairing, 'The code, shown this once'), ...ERROR_ANSWER },
});

/** Throws `runner_not_found`, also for another account’s machine. */
export function registerMakePairing(app: App): void {
  app.openapi(route, async (context) => {
    const { runnerId } = context.req.valid('json');
    const database = openDatabase(context.env.DB);
    const made = await makePairing(database, context.get('principal'), runnerId, Date.now());
    return context.json(made, 201);
  });
}
