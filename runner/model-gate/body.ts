import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import { messageOf } from '../failure.ts';

/** A request is kept to be read; larger ones, as sent or unpacked, are no model's. In bytes. */
const REQUEST_MAX_BYTES = 128 * 1024 * 1024;

/** A request that nobody could read: sent again, it is no better. */
export class UnreadableError extends Error {
  readonly status: number;

  constructor(status: 400 | 413 | 415, message: string) {
    super(message);
    this.status = status;
  }
}

/** The body as it was sent. Throws {@link UnreadableError} for one that is too large. */
export async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > REQUEST_MAX_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const WITHIN = { maxOutputLength: REQUEST_MAX_BYTES };
const UNPACK = new Map<string, (body: Buffer) => Promise<Buffer>>([
  ['gzip', (body) => promisify(gunzip)(body, WITHIN)],
  ['deflate', (body) => promisify(inflate)(body, WITHIN)],
  ['br', (body) => promisify(brotliDecompress)(body, WITHIN)],
  ['zstd', (body) => promisify(zstdDecompress)(body, WITHIN)],
]);

/** The body as it was meant. Throws {@link UnreadableError}; a small one may unpack to any size. */
export async function unpack(body: Buffer, encoding: string | undefined): Promise<Buffer> {
  if (!encoding || encoding === 'identity') return body;
  const known = UNPACK.get(encoding);
  if (!known)
    throw new UnreadableError(415, `the request is packed as ${encoding}, which is not known`);
  try {
    return await known(body);
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge();
    throw new UnreadableError(400, `the request could not be unpacked: ${messageOf(error)}`);
  }
}

const tooLarge = () =>
  new UnreadableError(413, `the request is too large: over ${REQUEST_MAX_BYTES} bytes`);
