import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { PilothouseError } from '../../../protocol/errors.ts';
import { describeFault, log } from '../../lib/logger.ts';
import type { AppContext } from '../context.ts';
import { offerControlTools } from './control-tools.ts';

/**
 * Answers one request of an MCP client with the tools that its key opens. Nothing is kept between
 * requests: whoever is served by another process the next time finds the same.
 */
export function serveMcp(context: AppContext): Promise<Response> {
  const { env } = context;
  const principal = context.get('principal');
  if (!principal.mcp) throw new PilothouseError('forbidden', { principal: principal.kind });
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'pilothouse', version: env.VERSION });
      offerControlTools(server, env, principal);
      return server;
    },
    { onerror: (error) => log('warn', 'mcp.refused', { fault: describeFault(error) }) },
  );
  return handler.fetch(context.req.raw);
}
