import { createRoute, z } from '@hono/zod-openapi';
import { accepted } from '../../../../protocol/http.ts';
import { mcpKeyId } from '../../../../protocol/ids.ts';
import { revokeMcpKey } from '../../../access/mcp-keys.ts';
import { openDatabase } from '../../../db/client.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('mcpKeys.revoke', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/mcp-keys/{keyId}/revoke',
  summary: 'Make a key of an MCP client worthless, for good',
  request: { params: z.object({ keyId: mcpKeyId }) },
  responses: { 200: json(accepted, 'It is revoked'), ...ERROR_ANSWER },
});

/** Holds from the next request on. Throws `mcp_key_not_found`, also for another account’s. */
export function registerRevokeMcpKey(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { keyId } = context.req.valid('param');
    await revokeMcpKey(openDatabase(context.env.DB), accountId, keyId, Date.now());
    return context.json({ accepted: true as const }, 200);
  });
}
