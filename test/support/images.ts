import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { crc32 } from 'node:zlib';

/** A PNG of so many pixels each way, of a colour; `noise` makes it as long as it looks. */
export function aPng(
  size = 8,
  colour: readonly [number, number, number] = [30, 90, 160],
  noise = false,
): Buffer {
  let seed = 7;
  const next = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) & 0xff;
  const rows = Array.from({ length: size }, () =>
    Buffer.from([
      0,
      ...Array.from({ length: size }, () => (noise ? [next(), next(), next()] : colour)).flat(),
    ]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Every string in a request that is base64 of an image, by the hash of what it stands for. */
export function imageHashesIn(value: unknown): string[] {
  if (typeof value === 'string') {
    const base64 = /^(?:data:image\/\w+;base64,)?([A-Za-z0-9+/]{40,}={0,2})$/.exec(value)?.[1];
    return base64 ? [sha256Of(Buffer.from(base64, 'base64'))] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(imageHashesIn);
}
