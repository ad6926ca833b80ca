import { createHash } from 'node:crypto';
import {
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
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

/** What is written half for so long nobody writes any more, in ms. */
const HALF_MS = 60 * 60_000;

/** How long all images of an instruction may take to come, in ms, and how often one is asked for. */
const TAKE_MS = 20_000;
const ATTEMPTS = 3;
const AGAIN_MS = 500;

/** Where the images of sessions are fetched from, as their runner. */
type From = { url: string; token: string };

/**
 * The images of instructions as files that a session's engine may read: outside of its checkout, in
 * a directory that its seal shows and does not let it write to.
 */
export class ImageStore {
  readonly #root: string;
  readonly #from: From;
  readonly #takeMs: number;

  constructor(root: string, from: From, takeMs = TAKE_MS) {
    this.#root = root;
    this.#takeMs = takeMs;
    this.#from = from;
  }

  /**
   * Fetches what is not there yet, each compared with its hash, until `stop` says that nobody waits
   * for them any more. Throws `image_unavailable`.
   */
  async take(
    sessionId: SessionId,
    images: readonly ImageRef[],
    stop?: AbortSignal,
  ): Promise<TurnImage[]> {
    const signal = AbortSignal.any([AbortSignal.timeout(this.#takeMs), ...(stop ? [stop] : [])]);
    const taken: TurnImage[] = [];
    for (const image of images) taken.push(await this.#takeOne(sessionId, image, signal));
    return taken;
  }

  async #takeOne(sessionId: SessionId, image: ImageRef, signal: AbortSignal): Promise<TurnImage> {
    const directory = sealPlaces(this.#root, sessionId).images;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, `${image.imageId}.${IMAGE_TYPES[image.type]}`);
    const taken = { path, type: image.type };
    if (existsSync(path) && isIt(readFileSync(path), image)) return taken;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const bytes = await this.#fetch(sessionId, image, signal);
        if (!isIt(bytes, image)) throw new Error('what came is not the image that was said');
        writeFileSync(`${path}.part`, bytes, { mode: 0o600 });
        renameSync(`${path}.part`, path);
        return taken;
      } catch (error) {
        if (attempt === ATTEMPTS || signal.aborted) throw unavailable(image, error);
        await delay(AGAIN_MS, undefined, { signal }).catch(() => {
          throw unavailable(image, signal.reason);
        });
      }
    }
  }

  async #fetch(sessionId: SessionId, { imageId }: ImageRef, signal: AbortSignal): Promise<Buffer> {
    const path = `/v1/sessions/${sessionId}/images/${imageId}`;
    const response = await fetch(new URL(path, this.#from.url), {
      headers: { authorization: `Bearer ${this.#from.token}` },
      signal,
    });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  }

  /**
   * Removes what is older than `keptMs`, and what was left half and nobody writes any more. What is
   * none of its own is left as it is.
   */
  prune(nowMs: number, keptMs: number): void {
    const top = join(this.#root, 'images');
    for (const entry of entriesOf(top)) {
      if (!entry.isDirectory()) continue;
      const directory = join(top, entry.name);
      for (const { name } of entriesOf(directory)) {
        // One that cannot be looked at or removed keeps neither the others nor the runner.
        passOver(() => {
          const path = join(directory, name);
          const { mtimeMs } = lstatSync(path);
          if (nowMs - mtimeMs > (name.endsWith('.part') ? HALF_MS : keptMs))
            rmSync(path, { force: true });
        });
      }
      // Fails where anything is left in it.
      passOver(() => rmdirSync(directory));
    }
  }
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function passOver(work: () => void): void {
  try {
    work();
  } catch {
    // It is tried again at the runner's next start.
  }
}

const unavailable = ({ imageId }: ImageRef, cause: unknown): PilothouseError =>
  new PilothouseError('image_unavailable', { detail: `${imageId}: ${messageOf(cause)}` });

const isIt = (bytes: Buffer, { sha256, bytes: length }: ImageRef): boolean =>
  bytes.length === length && createHash('sha256').update(bytes).digest('hex') === sha256;
