import { createRoute, z } from '@hono/zod-openapi';
import { imageId, turnId } from '../../../protocol/ids.ts';
import { unwrap } from '../../lib/outcome.ts';
import { heldImages } from '../../sessions/launch-images.ts';
import type { App } from '../context.ts';
import { calledBy, PERSON_AND_CLI } from '../describe.ts';
import { bodyOf, IMAGE_ANSWERS, PART_ANSWERS, PART_REQUEST, partOf } from './image-form.ts';

const params = z.object({ turnId, imageId });
const path = '/v1/launches/{turnId}/images/{imageId}';

const add = createRoute({
  ...calledBy('launches.addImage', ...PERSON_AND_CLI),
  method: 'post',
  path,
  summary: 'Bring an image for a launch, before it is made, as one for an instruction',
  request: { params, ...PART_REQUEST },
  responses: PART_ANSWERS,
});

const read = createRoute({
  ...calledBy('launches.readImage', ...PERSON_AND_CLI),
  method: 'get',
  path,
  summary: 'An image that is held for a launch',
  request: { params },
  responses: IMAGE_ANSWERS,
});

/**
 * Held for a week, under an id of the caller's that its launch names. Refuses `image_refused`,
 * `images_full`, `images_waiting` and `image_not_found`.
 */
export function registerLaunchImages(app: App): void {
  app.openapi(add, async (context) => {
    const { accountId } = context.get('principal');
    const { turnId: under, imageId: image } = context.req.valid('param');
    const held = await heldImages(context.env, accountId, under);
    const part = partOf(image, context.req.valid('query'), await context.req.arrayBuffer());
    return context.json({ image: unwrap(await held.addPart(part)) }, 200);
  });
  app.openapi(read, async (context) => {
    const { accountId } = context.get('principal');
    const { turnId: under, imageId: image } = context.req.valid('param');
    const held = await heldImages(context.env, accountId, under);
    return context.body(...bodyOf(unwrap(await held.read(image))));
  });
}
