import { createRoute, z } from '@hono/zod-openapi';
import { checkpointList, rewindRequest, rewound } from '../../../protocol/checkpoints.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { LOOK_TIMEOUT_MS } from '../../../protocol/machine.ts';
import { askRunner } from '../../runners/ask.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';
import { machineOf } from './machine-of.ts';

const params = z.object({ sessionId });

const list = createRoute({
  ...calledBy('sessions.listCheckpoints', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/sessions/{sessionId}/checkpoints',
  summary: 'The files of a session’s checkout as they were after its turns, to go back to',
  request: { params },
  responses: { 200: json(checkpointList, 'Newest first'), ...ERROR_ANSWER },
});

const rewind = createRoute({
  ...calledBy('sessions.rewind', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/sessions/{sessionId}/rewind',
  summary: 'Put a session’s files back to one of its checkpoints, as an edit: commits stay',
  request: { params, body: jsonBody(rewindRequest) },
  responses: { 200: json(rewound, 'How many files it changed'), ...ERROR_ANSWER },
});

/**
 * By the machine, which has the files. It refuses `checkout_not_found` for a session in place,
 * `checkout_working`, `checkpoint_not_found` and `rewind_refused`.
 */
export function registerCheckpoints(app: App): void {
  app.openapi(list, async (context) => {
    const to = await machineOf(context.env, context.get('principal'), context.req.valid('param'));
    const question = { method: 'checkout/checkpoints', params: {} } as const;
    const asked = { ...question, timeoutMs: LOOK_TIMEOUT_MS };
    return context.json(await askRunner(context.env, to, asked, checkpointList), 200);
  });
  app.openapi(rewind, async (context) => {
    const to = await machineOf(context.env, context.get('principal'), context.req.valid('param'));
    const question = { method: 'checkout/rewind', params: context.req.valid('json') } as const;
    const asked = { ...question, timeoutMs: LOOK_TIMEOUT_MS };
    return context.json(await askRunner(context.env, to, asked, rewound), 200);
  });
}
