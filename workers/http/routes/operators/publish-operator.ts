import { createRoute } from '@hono/zod-openapi';
import { operatorEntry, publishOperatorRequest } from '../../../../protocol/operator-http.ts';
import { requirePersonOrCli } from '../../../access/principal.ts';
import { openDatabase } from '../../../db/client.ts';
import { publishOperator } from '../../../operators/publish.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('operators.publish', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/operators',
  summary: 'Publish a version of an operator, or a new one',
  request: { body: jsonBody(publishOperatorRequest) },
  responses: { 201: json(operatorEntry, 'The operator as it stands now'), ...ERROR_ANSWER },
});

/** Instances of an earlier version take it at once, unless it allows more. Refuses `operator_changed`. */
export function registerPublishOperator(app: App): void {
  app.openapi(route, async (context) => {
    const creator = requirePersonOrCli(context.get('principal'));
    const database = openDatabase(context.env.DB);
    const request = context.req.valid('json');
    return context.json(await publishOperator(database, creator, request, Date.now()), 201);
  });
}
