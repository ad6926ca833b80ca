import { createRoute, z } from '@hono/zod-openapi';
import { PilothouseError } from '../../../protocol/errors.ts';
import { imageId, sessionId } from '../../../protocol/ids.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf, imagesOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, PERSON_AND_CLI } from '../describe.ts';
import { bodyOf, IMAGE_ANSWERS, PART_ANSWERS, PART_REQUEST, partOf } from './image-form.ts';

const params = z.object({ sessionId, imageId });
const path = '/v1/sessions/{sessionId}/images/{imageId}';

const add = createRoute({
  ...calledBy('sessions.addImage', ...PERSON_AND_CLI),
  method: 'post',
  path,
  summary: 'Bring an image for an instruction, in parts of 1 MiB under an id of the caller’s',
  request: { params, ...PART_REQUEST },
  responses: PART_ANSWERS,
});

const read = createRoute({
  ...calledBy('sessions.readImage', ...PERSON_AND_CLI, 'runner'),
  method: 'get',
  path,
  summary: 'An image that came with an instruction',
  request: { params },
  responses: IMAGE_ANSWERS,
});

/**
 * Kept for as long as the session's record. A runner reads those of its own sessions. Refuses
 * `image_refused`, `images_full`, `images_waiting` and `image_not_found`.
 */
export function registerSessionImages(app: App): void {
  app.openapi(add, async (context) => {
    const { accountId } = context.get('principal');
    const { sessionId: id, imageId: image } = context.req.valid('param');
    unwrap(await feedOf(context.env, accountId, id).readView());
    const part = partOf(image, context.req.valid('query'), await context.req.arrayBuffer());
    const added = unwrap(await imagesOf(context.env, accountId, id).addPart(part));
    return context.json({ image: added }, 200);
  });
  app.openapi(read, async (context) => {
    const { accountId, kind, runnerId } = context.get('principal');
    const { sessionId: id, imageId: image } = context.req.valid('param');
    const told = unwrap(await feedOf(context.env, accountId, id).readView());
    if (kind === 'runner' && told.runnerId !== runnerId) throw new PilothouseError('forbidden');
    return context.body(...bodyOf(unwrap(await imagesOf(context.env, accountId, id).read(image))));
  });
}
