import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type ErrorCode, ERRORS, PilothouseError } from '../../../protocol/errors.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { MCP_PATH, MCP_SCOPES, type McpScope } from '../../../protocol/mcp.ts';
import { appendAccess } from '../../access/log.ts';
import type { Principal } from '../../access/principal.ts';
import { openDatabase } from '../../db/client.ts';
import type { Env } from '../../env.ts';
import { toPilothouseError } from '../on-error.ts';
import { answerCall, answerWith } from './answer.ts';
import { CONTROL_TOOLS, type ControlTool, type Desk } from './control-tools.ts';

const namesSession = z.object({ sessionId });

/**
 * Offers the tools that the key's scopes open, and no others. One that they do not open is there
 * for the request that calls it (`called`, null for every other request): it is refused in words,
 * and on record, and is in no list.
 */
export function offerControlTools(
  server: McpServer,
  env: Env,
  { principal, called }: { principal: Principal; called: string | null },
): void {
  const desk: Desk = { env, principal, database: openDatabase(env.DB) };
  const opens = opensOf(principal);
  for (const [name, tool] of Object.entries(CONTROL_TOOLS)) {
    const { scope, description, input } = tool;
    const annotations = annotationsOf(scope);
    const answer = (work: (said: unknown) => Promise<unknown>) => (said: unknown) =>
      answerCall(async () => answerWith(await work(said)));
    if (opens(tool)) {
      const call = (said: unknown) => tool.call(desk, said);
      const work =
        scope === 'read' ? call : (said: unknown) => onRecord(desk, { name, said }, call);
      const inputSchema = input as z.ZodObject;
      server.registerTool(name, { description, inputSchema, annotations }, answer(work));
    } else if (name === called) {
      const work = (said: unknown) => onRecord(desk, { name, said }, () => refuse(scope));
      const inputSchema = z.looseObject({});
      server.registerTool(name, { description, inputSchema, annotations }, answer(work));
    }
  }
}

/**
 * What a model is told of its key before it calls anything: programs answer a call of a tool that
 * is in no list by themselves, and then only that there is no such tool.
 */
export function describeControlKey(principal: Principal): string {
  const opens = opensOf(principal);
  const tools = Object.entries(CONTROL_TOOLS);
  const opened = tools.flatMap(([name, tool]) => (opens(tool) ? [name] : []));
  const closed = tools.flatMap(([name, tool]) =>
    opens(tool) ? [] : [`${name} (scope ${tool.scope})`],
  );
  const open = `This key opens ${opened.join(', ')}.`;
  if (closed.length === 0) return open;
  return `${open} It does not open ${closed.join(', ')}: that is refused. Ask the person for a key with the scope, which \`pilothouse mcp keys make\` makes.`;
}

const opensOf =
  ({ mcp }: Principal) =>
  ({ scope }: ControlTool): boolean =>
    mcp?.scopes.includes(scope) ?? false;

const refuse = (scope: McpScope): Promise<never> =>
  Promise.reject(
    new PilothouseError('mcp_scope_missing', { detail: `it takes the scope ${scope}` }),
  );

const sessionIn = (value: unknown) => namesSession.safeParse(value).data?.sessionId;

/**
 * Makes a call, and puts on record whose it was, of which session, and how it ended. A launch names
 * its session in its answer alone.
 */
async function onRecord(
  { database, principal }: Desk,
  { name, said }: { name: string; said: unknown },
  call: (said: unknown) => Promise<unknown>,
): Promise<unknown> {
  const record = (session: string | undefined, errorCode: ErrorCode | null) => {
    const target = [MCP_PATH, name, ...(session ? [session] : [])].join('/');
    const status = errorCode === null ? 200 : ERRORS[errorCode].status;
    const ended = { requestId: crypto.randomUUID(), operation: `mcp.${name}`, target, status };
    return appendAccess(database, principal, { ...ended, errorCode }, Date.now());
  };
  const ended = await call(said).then(
    (value) => ({ value }),
    (fault: unknown) => ({ fault }),
  );
  if ('fault' in ended) {
    await record(sessionIn(said), toPilothouseError(ended.fault).code);
    throw ended.fault;
  }
  await record(sessionIn(said) ?? sessionIn(ended.value), null);
  return ended.value;
}

/** What a client may assume of a tool before it asks its person. */
const annotationsOf = (scope: McpScope) => ({
  readOnlyHint: scope === 'read',
  destructiveHint: scope === 'destructive',
  openWorldHint: MCP_SCOPES.indexOf(scope) >= MCP_SCOPES.indexOf('runtime'),
});
