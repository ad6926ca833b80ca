import { createRoute } from '@hono/zod-openapi';
import { madeMcpKey, makeMcpKeyRequest } from '../../../../protocol/mcp.ts';
import { issueMcpKey } from '../../../access/mcp-keys.ts';
import { requirePersonOrCli } from '../../../access/principal.ts';
import { requireRevision } from '../../../operators/read.ts';
import { openDatabase } from '../../../db/client.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('mcpKeys.make', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/mcp-keys',
  summary: 'Make a key for MCP clients, of an instance or of the control plane',
  request: { body: jsonBody(makeMcpKeyRequest) },
  responses: { 201: json(madeMcpKey, 'The key, whose token is shown this once'), ...ERROR_ANSWER },
});

/** For a person or a command line: a key must not make further keys. Refuses `instance_not_found`. */
export function registerMakeMcpKey(app: App): void {
  app.openapi(route, async (context) => {
    const maker = requirePersonOrCli(context.get('principal'));
    const database = openDatabase(context.env.DB);
    const request = context.req.valid('json');
    if (request.instanceId !== null)
      await requireRevision(database, maker.accountId, request.instanceId);
    const made = await issueMcpKey(database, maker, request, Date.now());
    context.set('made', made.key.keyId);
    return context.json(made, 201);
  });
}
