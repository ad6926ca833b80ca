import { createRoute } from '@hono/zod-openapi';
import { mcpKeyList } from '../../../../protocol/mcp.ts';
import { listMcpKeys } from '../../../access/mcp-keys.ts';
import { openDatabase } from '../../../db/client.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('mcpKeys.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/mcp-keys',
  summary: 'Keys of MCP clients, newest first, without their secrets',
  responses: { 200: json(mcpKeyList, 'The keys, revoked ones among them'), ...ERROR_ANSWER },
});

/** Revoked keys stay in the list: who could call, and until when, is part of what is known. */
export function registerListMcpKeys(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const items = await listMcpKeys(openDatabase(context.env.DB), accountId);
    return context.json({ items }, 200);
  });
}
