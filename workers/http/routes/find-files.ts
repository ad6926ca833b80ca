import { createRoute, z } from '@hono/zod-openapi';
import { findFilesInQuery, findFilesQuery, foundFiles } from '../../../protocol/find-files.ts';
import { runnerId, sessionId } from '../../../protocol/ids.ts';
import { openDatabase } from '../../db/client.ts';
import { askRunner } from '../../runners/ask.ts';
import { requireRunner } from '../../runners/register.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';
import { machineOf } from './machine-of.ts';

const inSession = createRoute({
  ...calledBy('sessions.findFiles', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/sessions/{sessionId}/files',
  summary: 'Files of a session’s checkout by letters of their paths, as an instruction names them',
  request: { params: z.object({ sessionId }), query: findFilesQuery },
  responses: { 200: json(foundFiles, 'The files, the best match first'), ...ERROR_ANSWER },
});

const inDirectory = createRoute({
  ...calledBy('runners.findFiles', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/runners/{runnerId}/files',
  summary: 'The same in a directory of the machine, before there is a session',
  request: { params: z.object({ runnerId }), query: findFilesInQuery },
  responses: { 200: json(foundFiles, 'The files, the best match first'), ...ERROR_ANSWER },
});

/**
 * From the machine, by names alone: none that git ignores, that the policy denies, or that lies
 * outside. Refuses `checkout_not_found` before there is a checkout.
 */
export function registerFindFiles(app: App): void {
  app.openapi(inSession, async (context) => {
    const to = await machineOf(context.env, context.get('principal'), context.req.valid('param'));
    const question = { method: 'checkout/files', params: context.req.valid('query') } as const;
    return context.json(await askRunner(context.env, to, question, foundFiles), 200);
  });
  app.openapi(inDirectory, async (context) => {
    const { accountId } = context.get('principal');
    const { runnerId: id } = context.req.valid('param');
    await requireRunner(openDatabase(context.env.DB), accountId, id);
    const question = { method: 'workspace/files', params: context.req.valid('query') } as const;
    const to = { accountId, runnerId: id };
    return context.json(await askRunner(context.env, to, question, foundFiles), 200);
  });
}
