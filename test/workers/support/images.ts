import { exports } from 'cloudflare:workers';
import { imageId, type ImageId, makeId } from '../../../protocol/ids.ts';
import { IMAGE_PART_BYTES, imagePartAdded, type ImageRef } from '../../../protocol/image.ts';
import { headersOf, HOST } from './http.ts';

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** So many bytes that begin as a PNG. */
export function anImage(bytes: number): Uint8Array<ArrayBuffer> {
  const data = Uint8Array.from({ length: bytes }, (_, index) => (index * 31) % 251);
  data.set(PNG);
  return data;
}

let made = 0;
export const anImageId = (): ImageId => imageId.parse(makeId('img', ++made, new Uint8Array(16)));

type Sender = { bearer: string; address: string };

/** Sends one part of an image to its address; `over` says otherwise of it. */
export async function sendPart(
  { bearer, address }: Sender,
  data: Uint8Array<ArrayBuffer>,
  part: number,
  over = {},
) {
  const query = new URLSearchParams({
    type: 'image/png',
    bytes: String(data.byteLength),
    part: String(part),
    ...over,
  });
  const response = await exports.default.fetch(`http://${HOST}${address}?${query.toString()}`, {
    method: 'POST',
    headers: { ...headersOf({ bearer }), 'content-type': 'application/octet-stream' },
    body: data.slice(part * IMAGE_PART_BYTES, (part + 1) * IMAGE_PART_BYTES),
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

/** Sends a whole image to its address. */
export async function sendWhole(to: Sender, data: Uint8Array<ArrayBuffer>): Promise<ImageRef> {
  for (let part = 0; ; part += 1) {
    const { image } = imagePartAdded.parse((await sendPart(to, data, part)).body);
    if (image) return image;
  }
}

/** Asks for the image of an address. */
export const readImage = (address: string, bearer: string): Promise<Response> =>
  exports.default.fetch(`http://${HOST}${address}`, { headers: headersOf({ bearer }) });
