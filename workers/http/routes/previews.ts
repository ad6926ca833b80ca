import { createRoute, z } from '@hono/zod-openapi';
import { sessionId } from '../../../protocol/ids.ts';
import { previewList, previewOpened, previewRequest } from '../../../protocol/preview.ts';
import { askRunner } from '../../runners/ask.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';
import { machineOf } from './machine-of.ts';

const params = z.object({ sessionId });

const list = createRoute({
  ...calledBy('sessions.listPreviews', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/sessions/{sessionId}/previews',
  summary: 'The ports that processes of a session listen on, found out by its machine now',
  request: { params },
  responses: { 200: json(previewList, 'By port'), ...ERROR_ANSWER },
});

const open = createRoute({
  ...calledBy('sessions.openPreview', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/sessions/{sessionId}/previews',
  summary: 'Open a server of a session on the loopback of its machine, for a browser there',
  request: { params, body: jsonBody(previewRequest) },
  responses: { 200: json(previewOpened, 'Where, under a secret name'), ...ERROR_ANSWER },
});

/** By the machine. It refuses `preview_not_allowed`, `preview_port_gone` and `session_not_found`. */
export function registerPreviews(app: App): void {
  app.openapi(list, async (context) => {
    const to = await machineOf(context.env, context.get('principal'), context.req.valid('param'));
    const question = { method: 'preview/list', params: {} } as const;
    return context.json(await askRunner(context.env, to, question, previewList), 200);
  });
  app.openapi(open, async (context) => {
    const to = await machineOf(context.env, context.get('principal'), context.req.valid('param'));
    const question = { method: 'preview/open', params: context.req.valid('json') } as const;
    return context.json(await askRunner(context.env, to, question, previewOpened), 200);
  });
}
