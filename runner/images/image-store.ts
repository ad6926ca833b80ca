import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PilothouseError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { IMAGE_TYPES, type ImageRef } from '../../protocol/image.ts';
import type { TurnImage } from '../engines/images.ts';
import { messageOf } from '../failure.ts';
import { sealPlaces } from '../seal/places.ts';

/** How long one image may take to come, in ms, and how often it is asked for. */
const FETCH_MS = 20_000;
const ATTEMPTS = 3;
const AGAIN_MS = 500;
/** Images are on the machine for the hand-over; the record has them. They go after so long, in ms. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1_000;

/** Where the images of sessions are fetched from, as their runner. */
type From = { url: string; token: string };

/**
 * The images of instructions as files that a session's engine may read: outside of its checkout, in
 * a directory that its seal shows and does not let it write to.
 */
export class ImageStore {
  readonly #root: string;
  readonly #from: From;

  constructor(root: string, from: From) {
    this.#root = root;
    this.#from = from;
  }

  /** Fetches what is not there yet, each compared with its hash. Throws `image_unavailable`. */
  async take(sessionId: SessionId, images: readonly ImageRef[]): Promise<TurnImage[]> {
    const taken: TurnImage[] = [];
    for (const image of images) taken.push(await this.#takeOne(sessionId, image));
    return taken;
  }

  async #takeOne(sessionId: SessionId, image: ImageRef): Promise<TurnImage> {
    const directory = sealPlaces(this.#root, sessionId).images;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, `${image.imageId}.${IMAGE_TYPES[image.type]}`);
    const taken = { path, type: image.type };
    if (existsSync(path) && isIt(readFileSync(path), image)) return taken;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const bytes = await this.#fetch(sessionId, image);
        if (!isIt(bytes, image)) throw new Error('what came is not the image that was said');
        writeFileSync(`${path}.part`, bytes, { mode: 0o600 });
        renameSync(`${path}.part`, path);
        return taken;
      } catch (error) {
        if (attempt === ATTEMPTS)
          throw new PilothouseError('image_unavailable', {
            detail: `${image.imageId}: ${messageOf(error)}`,
          });
        await delay(AGAIN_MS);
      }
    }
  }

  async #fetch(sessionId: SessionId, { imageId }: ImageRef): Promise<Buffer> {
    const path = `/v1/sessions/${sessionId}/images/${imageId}`;
    const response = await fetch(new URL(path, this.#from.url), {
      headers: { authorization: `Bearer ${this.#from.token}` },
      signal: AbortSignal.timeout(FETCH_MS),
    });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  }

  /** Removes what is old, and what was left half. */
  prune(nowMs: number): void {
    const top = join(this.#root, 'images');
    if (!existsSync(top)) return;
    for (const session of readdirSync(top)) {
      const directory = join(top, session);
      const names = readdirSync(directory);
      const old = names.filter((name) => {
        const { mtimeMs } = statSync(join(directory, name));
        return name.endsWith('.part') || nowMs - mtimeMs > KEEP_MS;
      });
      for (const name of old) rmSync(join(directory, name), { force: true });
      if (old.length === names.length) rmSync(directory, { recursive: true, force: true });
    }
  }
}

const isIt = (bytes: Buffer, { sha256, bytes: length }: ImageRef): boolean =>
  bytes.length === length && createHash('sha256').update(bytes).digest('hex') === sha256;
