import {
  IMAGE_PART_BYTES,
  imagePartAdded,
  type ImageRef,
  type ImageType,
} from '../../protocol/image.ts';
import { sendBytes } from './client.ts';

/** Brings an image to its address, part by part; asking again for the same one goes on from there. */
export async function sendImage(
  address: string,
  type: ImageType,
  data: Uint8Array<ArrayBuffer>,
): Promise<ImageRef> {
  for (let part = 0; ; part += 1) {
    const sent = data.subarray(part * IMAGE_PART_BYTES, (part + 1) * IMAGE_PART_BYTES);
    const query = { type, bytes: data.byteLength, part };
    const { image } = await sendBytes(imagePartAdded, address, query, sent);
    if (image) return image;
  }
}
