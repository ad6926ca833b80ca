import {
  type AccountId,
  sessionId as parsedSessionId,
  type SessionId,
  type TurnId,
} from '../../protocol/ids.ts';
import type { LaunchImages } from '../../protocol/http.ts';
import { IMAGE_PART_BYTES, type ImageRef } from '../../protocol/image.ts';
import type { Env } from '../env.ts';
import type { ImageCalls } from '../lib/calls.ts';
import { sha256Hex } from '../lib/crypto.ts';
import { unwrap } from '../lib/outcome.ts';
import { imagesOf } from '../lib/stubs.ts';

/**
 * The session that begins with this turn: the same one whenever it is asked for. It has the time of
 * the turn's id, and of its account a hash, so that no account can name the session of another.
 */
export async function sessionOf(accountId: AccountId, firstTurn: TurnId): Promise<SessionId> {
  const time = firstTurn.slice('trn_'.length).slice(0, 10);
  const hash = await sha256Hex(`${accountId} ${firstTurn}`);
  return parsedSessionId.parse(`ses_${time}${hash.slice(0, 20)}`);
}

/** Where images are held for a launch that is still written: whether or not it is ever made. */
export const heldImages = async (
  env: Env,
  accountId: AccountId,
  under: TurnId,
): Promise<ImageCalls> => imagesOf(env, accountId, await sessionOf(accountId, under));

/**
 * Gives a session the images that were held for its launch. They stay where they were held as well:
 * a launch that is refused is asked for again, under another id where it was changed. Throws
 * `image_not_found` and `images_too_large`.
 */
export async function takeImages(
  env: Env,
  accountId: AccountId,
  sessionId: SessionId,
  { under, imageIds }: LaunchImages,
): Promise<ImageRef[]> {
  const held = await heldImages(env, accountId, under);
  const own = imagesOf(env, accountId, sessionId);
  if ((await sessionOf(accountId, under)) !== sessionId)
    for (const imageId of imageIds) {
      // Asked for again, the session has it already, and what was held may have gone.
      if ((await own.read(imageId)).ok) continue;
      const { image, data } = unwrap(await held.read(imageId));
      for (let part = 0; part * IMAGE_PART_BYTES < image.bytes; part += 1)
        unwrap(await own.addPart(partOf(image, data, part)));
    }
  return unwrap(await own.use(imageIds));
}

const partOf = ({ imageId, type, bytes }: ImageRef, data: Uint8Array, part: number) => ({
  imageId,
  type,
  bytes,
  part,
  data: data.slice(part * IMAGE_PART_BYTES, (part + 1) * IMAGE_PART_BYTES).buffer,
  nowMs: Date.now(),
});
