import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { PilothouseError } from '../../../protocol/errors.ts';
import type { LaunchImages } from '../../../protocol/http.ts';
import { imageId, type ImageId, makeId, turnId } from '../../../protocol/ids.ts';
import { IMAGE_MAX_BYTES, IMAGE_PART_BYTES, sniffImage } from '../../../protocol/image.ts';
import type { Api } from '../api.ts';

type Sender = Pick<Api, 'addImagePart'>;

/** Brings files to a session as images. Throws `image_refused` before anything is sent of what is none. */
export const sendImages = (
  api: Sender,
  sessionId: string,
  paths: readonly string[] = [],
): Promise<ImageId[]> => sendTo(api, `/v1/sessions/${encodeURIComponent(sessionId)}/images`, paths);

/** Holds files as images for a launch that is made next. Throws as {@link sendImages} does. */
export async function holdImages(
  api: Sender,
  paths: readonly string[] = [],
): Promise<{ images?: LaunchImages }> {
  if (paths.length === 0) return {};
  const under = turnId.parse(makeId('trn', Date.now(), randomBytes(16)));
  return { images: { under, imageIds: await sendTo(api, `/v1/launches/${under}/images`, paths) } };
}

async function sendTo(api: Sender, to: string, paths: readonly string[]): Promise<ImageId[]> {
  const images: ImageId[] = [];
  for (const path of paths) images.push(await sendImage(api, to, path));
  return images;
}

async function sendImage(api: Sender, to: string, path: string): Promise<ImageId> {
  const { size: bytes } = statSync(path);
  const data = bytes > IMAGE_MAX_BYTES ? Buffer.alloc(0) : readFileSync(path);
  const type = sniffImage(data);
  if (type === null) throw new PilothouseError('image_refused', { detail: basename(path) });
  const id = imageId.parse(makeId('img', Date.now(), randomBytes(16)));
  for (let part = 0; part * IMAGE_PART_BYTES < bytes; part += 1) {
    const sent = data.subarray(part * IMAGE_PART_BYTES, (part + 1) * IMAGE_PART_BYTES);
    await api.addImagePart(to, id, { type, bytes, part }, sent);
  }
  return id;
}
