import { createRoute, z } from '@hono/zod-openapi';
import { doctorReport, LOOK_TIMEOUT_MS } from '../../../protocol/machine.ts';
import { runnerId } from '../../../protocol/ids.ts';
import { openDatabase } from '../../db/client.ts';
import { askRunner } from '../../runners/ask.ts';
import { requireRunner } from '../../runners/register.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('runners.runDoctor', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/runners/{runnerId}/doctor',
  summary: 'Let the machine examine itself',
  request: { params: z.object({ runnerId }) },
  responses: { 200: json(doctorReport, 'What it found'), ...ERROR_ANSWER },
});

/** Waits longer than other questions: the machine starts its engines to look at them. */
export function registerRunDoctor(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { runnerId: id } = context.req.valid('param');
    await requireRunner(openDatabase(context.env.DB), accountId, id);
    const question = { method: 'doctor/run', params: {}, timeoutMs: LOOK_TIMEOUT_MS } as const;
    return context.json(
      await askRunner(context.env, { accountId, runnerId: id }, question, doctorReport),
      200,
    );
  });
}
