import { z } from '@hono/zod-openapi';
import type { ImageId } from '../../../protocol/ids.ts';
import { imagePartAdded, imagePartQuery, type ImageRef } from '../../../protocol/image.ts';
import type { ImagePart } from '../../lib/calls.ts';
import { ERROR_ANSWER, json } from '../describe.ts';

const bytes = z.string().openapi({ format: 'binary' });

/** What a route that takes a part of an image is asked with, beside its parameters. */
export const PART_REQUEST = {
  query: imagePartQuery,
  body: { required: true, content: { 'application/octet-stream': { schema: bytes } } },
} as const;

/** What such a route answers. */
export const PART_ANSWERS = {
  200: json(imagePartAdded, 'The image once it is whole'),
  ...ERROR_ANSWER,
} as const;

/** What a route answers that reads an image. */
export const IMAGE_ANSWERS = {
  200: {
    description: 'Its bytes, under the type that they begin as',
    content: { 'image/*': { schema: bytes } },
  },
  ...ERROR_ANSWER,
} as const;

/** The part that a request brought. */
export const partOf = (
  imageId: ImageId,
  query: z.infer<typeof imagePartQuery>,
  data: ArrayBuffer,
): ImagePart => ({ ...query, imageId, data, nowMs: Date.now() });

/** An image that was read, as the answer's body, status and headers. */
export const bodyOf = ({ image, data }: { image: ImageRef; data: Uint8Array }) =>
  [new Uint8Array(data), 200, { 'content-type': image.type }] as const;
