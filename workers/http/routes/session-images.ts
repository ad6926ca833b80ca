import { createRoute, z } from '@hono/zod-openapi';
import { PilothouseError } from '../../../protocol/errors.ts';
import { imageId, sessionId } from '../../../protocol/ids.ts';
import { imagePartAdded, imagePartQuery } from '../../../protocol/image.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf, imagesOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const params = z.object({ sessionId, imageId });
const path = '/v1/sessions/{sessionId}/images/{imageId}';
const bytes = z.string().openapi({ format: 'binary' });

const add = createRoute({
  ...calledBy('sessions.addImage', ...PERSON_AND_CLI),
  method: 'post',
  path,
  summary: 'Bring an image for an instruction, in parts of 1 MiB under an id of the caller’s',
  request: {
    params,
    query: imagePartQuery,
    body: { required: true, content: { 'application/octet-stream': { schema: bytes } } },
  },
  responses: { 200: json(imagePartAdded, 'The image once it is whole'), ...ERROR_ANSWER },
});

const read = createRoute({
  ...calledBy('sessions.readImage', ...PERSON_AND_CLI, 'runner'),
  method: 'get',
  path,
  summary: 'An image that came with an instruction',
  request: { params },
  responses: {
    200: {
      description: 'Its bytes, under the type that they begin as',
      content: { 'image/*': { schema: bytes } },
    },
    ...ERROR_ANSWER,
  },
});

/**
 * Kept for as long as the session's record. A runner reads those of its own sessions. Refuses
 * `image_refused`, `images_full` and `image_not_found`.
 */
export function registerSessionImages(app: App): void {
  app.openapi(add, async (context) => {
    const { accountId } = context.get('principal');
    const { sessionId: id, imageId: image } = context.req.valid('param');
    unwrap(await feedOf(context.env, accountId, id).readView());
    const data = await context.req.arrayBuffer();
    const part = { ...context.req.valid('query'), imageId: image, data, nowMs: Date.now() };
    const added = unwrap(await imagesOf(context.env, accountId, id).addPart(part));
    return context.json({ image: added }, 200);
  });
  app.openapi(read, async (context) => {
    const { accountId, kind, runnerId } = context.get('principal');
    const { sessionId: id, imageId: image } = context.req.valid('param');
    const told = unwrap(await feedOf(context.env, accountId, id).readView());
    if (kind === 'runner' && told.runnerId !== runnerId) throw new PilothouseError('forbidden');
    const found = unwrap(await imagesOf(context.env, accountId, id).read(image));
    return context.body(new Uint8Array(found.data), 200, { 'content-type': found.image.type });
  });
}
