import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { PilothouseError } from '../../../protocol/errors.ts';
import { imageId, type ImageId, makeId } from '../../../protocol/ids.ts';
import { IMAGE_MAX_BYTES, IMAGE_PART_BYTES, sniffImage } from '../../../protocol/image.ts';
import type { Api } from '../api.ts';

/** Brings a file to a session as an image. Throws `image_refused` before anything is sent of what is none. */
export async function sendImage(
  api: Pick<Api, 'addImagePart'>,
  sessionId: string,
  path: string,
): Promise<ImageId> {
  const { size: bytes } = statSync(path);
  const data = bytes > IMAGE_MAX_BYTES ? Buffer.alloc(0) : readFileSync(path);
  const type = sniffImage(data);
  if (type === null) throw new PilothouseError('image_refused', { detail: basename(path) });
  const id = imageId.parse(makeId('img', Date.now(), randomBytes(16)));
  for (let part = 0; part * IMAGE_PART_BYTES < bytes; part += 1) {
    const sent = data.subarray(part * IMAGE_PART_BYTES, (part + 1) * IMAGE_PART_BYTES);
    await api.addImagePart(sessionId, id, { type, bytes, part }, sent);
  }
  return id;
}
