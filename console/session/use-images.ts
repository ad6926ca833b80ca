import { useEffect, useState } from 'react';
import { z } from 'zod';
import { ERRORS } from '../../protocol/errors.ts';
import type { ImageId } from '../../protocol/ids.ts';
import {
  IMAGE_MAX_BYTES,
  imageRef,
  type ImageRef,
  IMAGES_MAX,
  sniffImage,
} from '../../protocol/image.ts';
import { sendImage } from '../api/images.ts';
import { tellError } from '../errors.ts';
import { newId } from '../lib/make-id.ts';
import { readStored, writeStored } from '../lib/storage.ts';

/** An image that is to go with the next instruction: there, on its way, or why it is neither. */
export type Attached = {
  imageId: ImageId;
  name: string;
  image: ImageRef | null;
  failure: string | null;
};

const kept = z.array(z.object({ name: z.string(), image: imageRef })).max(IMAGES_MAX);
/** Where images go that are added: what remembers them across reloads, and the address of each. */
export type ImagePlace = {
  key: string;
  keep?: () => Storage;
  addressOf(imageId: ImageId): string;
};

const readKept = ({ key, keep }: ImagePlace): Attached[] =>
  (readStored(key, kept, keep) ?? []).map(({ name, image }) => ({
    imageId: image.imageId,
    name,
    image,
    failure: null,
  }));

/** Why an instruction with these cannot be sent; null when it can. */
export function reasonOfImages(attached: readonly Attached[]): string | null {
  if (attached.some(({ failure }) => failure !== null))
    return 'An image did not arrive. Remove it, or add it again.';
  return attached.some(({ image }) => image === null) ? 'An image is still on its way.' : null;
}

/**
 * The images of what is not sent yet: brought to their place as soon as they are added, and kept
 * with the unsent text across reloads once they are there.
 */
export function useImages(place: ImagePlace) {
  const { key, keep } = place;
  const [attached, setAttached] = useState<readonly Attached[]>(() => readKept(place));
  useEffect(() => {
    const there = attached.flatMap(({ name, image }) => (image ? [{ name, image }] : []));
    writeStored(key, there.length > 0 ? there : null, keep);
  }, [key, keep, attached]);
  const become = (imageId: ImageId, change: Partial<Attached>) =>
    setAttached((all) => all.map((one) => (one.imageId === imageId ? { ...one, ...change } : one)));
  const bring = async (imageId: ImageId, file: File) => {
    try {
      const data = file.size > IMAGE_MAX_BYTES ? null : new Uint8Array(await file.arrayBuffer());
      const type = data && sniffImage(data);
      if (!data || !type) return become(imageId, { failure: ERRORS.image_refused.sentence });
      become(imageId, { image: await sendImage(place.addressOf(imageId), type, data) });
    } catch (error) {
      become(imageId, { failure: tellError(error).sentence });
    }
  };
  return {
    attached,
    add: (files: readonly File[]) => {
      const room = Math.max(0, IMAGES_MAX - attached.length);
      const added = files.slice(0, room).map((file) => ({ file, imageId: newId('img') }));
      setAttached((all) => [
        ...all,
        ...added.map(({ file: { name }, imageId }) => ({
          imageId,
          name,
          image: null,
          failure: null,
        })),
      ]);
      for (const { file, imageId } of added) void bring(imageId, file);
    },
    remove: (imageId: ImageId) =>
      setAttached((all) => all.filter((one) => one.imageId !== imageId)),
    /** What was sent is no more to be sent; what was added meanwhile is. */
    sent: (imageIds: readonly ImageId[]) =>
      setAttached((all) => all.filter(({ imageId }) => !imageIds.includes(imageId))),
  };
}

/** The images among what was pasted or dropped. */
export const imagesAmong = (files: FileList | null | undefined): File[] =>
  [...(files ?? [])].filter(({ type }) => type.startsWith('image/'));
