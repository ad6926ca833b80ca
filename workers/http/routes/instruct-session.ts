import { createRoute, z } from '@hono/zod-openapi';
import { instructed, instructRequest } from '../../../protocol/http.ts';
import { PilothouseError } from '../../../protocol/errors.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { newId, sha256Hex } from '../../lib/crypto.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf, imagesOf, relayOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('sessions.instruct', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/sessions/{sessionId}/instructions',
  summary: 'Give a session an instruction; it waits its turn, and for a machine that is away',
  request: { params: z.object({ sessionId }), body: jsonBody(instructRequest) },
  responses: { 202: json(instructed, 'Accepted under this turn id'), ...ERROR_ANSWER },
});

/**
 * The caller may choose the turn id, so that it can ask again after a lost answer. Refuses
 * `image_not_found`, `images_unsupported`, `turn_conflict`, `taken_over` while somebody else drives by hand,
 * `steer_unsupported`, and what the session’s state refuses.
 */
export function registerInstructSession(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId, actorId } = context.get('principal');
    const { sessionId: id } = context.req.valid('param');
    const { turnId, text, steer = false, key, images = [] } = context.req.valid('json');
    const keyHash = key === undefined ? null : await sha256Hex(key);
    const feed = feedOf(context.env, accountId, id);
    const input = { turnId: turnId ?? newId('trn'), text, actorId, steer, keyHash };
    if (images.length === 0) return context.json(unwrap(await feed.instruct(input)), 202);
    const { runnerId } = unwrap(await feed.readView());
    const { machine } = await relayOf(context.env, accountId, runnerId).readStatus();
    // A runner that knows nothing of them would hand the words over without.
    if (machine?.images !== true) throw new PilothouseError('images_unsupported');
    const used = unwrap(await imagesOf(context.env, accountId, id).use(images));
    return context.json(unwrap(await feed.instruct({ ...input, images: used })), 202);
  });
}
