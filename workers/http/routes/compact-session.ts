import { createRoute, z } from '@hono/zod-openapi';
import { accepted } from '../../../protocol/http.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf } from '../../lib/stubs.ts';
import { readEarlierWork } from '../../sessions/earlier-work.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('sessions.compact', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/sessions/{sessionId}/compact',
  summary: 'Make a long conversation short: the next turn begins it anew, told what was done',
  request: { params: z.object({ sessionId }) },
  responses: { 202: json(accepted, 'Asked; the record says what came of it'), ...ERROR_ANSWER },
});

/**
 * The story comes from the record alone. Refuses `session_busy`, `runner_offline`, and
 * `nothing_to_go_on_from` where no turn ever began.
 */
export function registerCompactSession(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId, actorId } = context.get('principal');
    const { sessionId: id } = context.req.valid('param');
    const { work } = await readEarlierWork(context.env, accountId, id);
    const { story } = work;
    const feed = feedOf(context.env, accountId, id);
    unwrap(await feed.request({ action: 'compact', actorId, story }));
    return context.json({ accepted: true as const }, 202);
  });
}
