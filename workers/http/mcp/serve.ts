import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { PilothouseError } from '../../../protocol/errors.ts';
import { describeFault, log } from '../../lib/logger.ts';
import { readInstance } from '../../operators/read.ts';
import type { AppContext } from '../context.ts';
import { describeControlKey, offerControlTools } from './offer-control-tools.ts';
import { describeInstanceKey, offerInstanceTools } from './instance-tools.ts';

/**
 * Answers one request of an MCP client with the tools that its key opens. Nothing is kept between
 * requests: whoever is served by another process the next time finds the same. Throws
 * `instance_removed` for a key whose instance is gone.
 */
export async function serveMcp(context: AppContext): Promise<Response> {
  const { env } = context;
  const principal = context.get('principal');
  const { mcp } = principal;
  if (!mcp) throw new PilothouseError('forbidden', { principal: principal.kind });
  const { instanceId, keyId } = mcp;
  const read = instanceId && (await readInstance(env, instanceId));
  if (read?.instance.state === 'removed' || (instanceId && !read))
    throw new PilothouseError('instance_removed');
  const called = read ? null : await calledTool(context.req.raw);
  const handler = createMcpHandler(
    () => {
      const instructions = read ? describeInstanceKey(read) : describeControlKey(principal);
      const server = new McpServer({ name: 'pilothouse', version: env.VERSION }, { instructions });
      if (read) offerInstanceTools(server, env, read, keyId);
      else offerControlTools(server, env, { principal, called });
      return server;
    },
    { onerror: (error) => log('warn', 'mcp.refused', { fault: describeFault(error) }) },
  );
  return handler.fetch(context.req.raw);
}

const toolCall = z.object({
  method: z.literal('tools/call'),
  params: z.object({ name: z.string() }),
});

/** The tool that a request calls; null for every other, and for one that cannot be read. */
async function calledTool(request: Request): Promise<string | null> {
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null);
  return toolCall.safeParse(body).data?.params.name ?? null;
}
