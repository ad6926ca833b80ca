import { MCP_PATH } from '../../../../protocol/mcp.ts';
import type { App } from '../../context.ts';
import { allow } from '../../auth.ts';
import { serveMcp } from '../../mcp/serve.ts';

/** MCP over Streamable HTTP, for a key of it alone: not a route of the REST API. */
export function registerServeMcp(app: App): void {
  app.all(MCP_PATH, allow('mcp.serve', 'mcpKey'), serveMcp);
}
