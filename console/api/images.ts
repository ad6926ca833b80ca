import {
  IMAGE_PART_BYTES,
  imagePartAdded,
  type ImageRef,
  type ImageType,
} from '../../protocol/image.ts';
import type { ImageId } from '../../protocol/ids.ts';
import { api } from '../paths.ts';
import { sendBytes } from './client.ts';

/** Brings an image to a session, part by part; asking again under the same id goes on from there. */
export async function sendImage(
  sessionId: string,
  imageId: ImageId,
  type: ImageType,
  data: Uint8Array<ArrayBuffer>,
): Promise<ImageRef> {
  for (let part = 0; ; part += 1) {
    const sent = data.subarray(part * IMAGE_PART_BYTES, (part + 1) * IMAGE_PART_BYTES);
    const query = { type, bytes: data.byteLength, part };
    const { image } = await sendBytes(imagePartAdded, api.image(sessionId, imageId), query, sent);
    if (image) return image;
  }
}
