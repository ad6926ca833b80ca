import { createRoute, z } from '@hono/zod-openapi';
import { imageId, turnId } from '../../../protocol/ids.ts';
import { imagePartAdded, imagePartQuery } from '../../../protocol/image.ts';
import { unwrap } from '../../lib/outcome.ts';
import { heldImages } from '../../sessions/launch-images.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const params = z.object({ turnId, imageId });
const path = '/v1/launches/{turnId}/images/{imageId}';
const bytes = z.string().openapi({ format: 'binary' });

const add = createRoute({
  ...calledBy('launches.addImage', ...PERSON_AND_CLI),
  method: 'post',
  path,
  summary: 'Bring an image for a launch, before it is made, as one for an instruction',
  request: {
    params,
    query: imagePartQuery,
    body: { required: true, content: { 'application/octet-stream': { schema: bytes } } },
  },
  responses: { 200: json(imagePartAdded, 'The image once it is whole'), ...ERROR_ANSWER },
});

const read = createRoute({
  ...calledBy('launches.readImage', ...PERSON_AND_CLI),
  method: 'get',
  path,
  summary: 'An image that is held for a launch',
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
 * Held for a week, under an id of the caller's that its launch names. Refuses `image_refused`,
 * `images_full` and `image_not_found`.
 */
export function registerLaunchImages(app: App): void {
  app.openapi(add, async (context) => {
    const { accountId } = context.get('principal');
    const { turnId: under, imageId: image } = context.req.valid('param');
    const data = await context.req.arrayBuffer();
    const held = await heldImages(context.env, accountId, under);
    const part = { ...context.req.valid('query'), imageId: image, data, nowMs: Date.now() };
    return context.json({ image: unwrap(await held.addPart(part)) }, 200);
  });
  app.openapi(read, async (context) => {
    const { accountId } = context.get('principal');
    const { turnId: under, imageId: image } = context.req.valid('param');
    const held = await heldImages(context.env, accountId, under);
    const found = unwrap(await held.read(image));
    return context.body(new Uint8Array(found.data), 200, { 'content-type': found.image.type });
  });
}
