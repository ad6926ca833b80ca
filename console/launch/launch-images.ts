import { useState } from 'react';
import type { LaunchImages } from '../../protocol/http.ts';
import { turnId } from '../../protocol/ids.ts';
import type { MachineFacts } from '../../protocol/machine.ts';
import { sentenceOfCode } from '../errors.ts';
import { newId } from '../lib/make-id.ts';
import { inTab, readStored, writeStored } from '../lib/storage.ts';
import { api } from '../paths.ts';
import { reasonOfImages, useImages } from '../session/use-images.ts';

const UNDER = 'launch-under';

/** The id under which this tab's images are held, until they are launched. */
function readUnder(): string {
  const known = readStored(UNDER, turnId, inTab);
  if (known) return known;
  const made = newId('trn');
  writeStored(UNDER, made, inTab);
  return made;
}

/** The images of a launch that is still written: held for it, and in this tab kept across reloads. */
export function useLaunchImages(machine: MachineFacts | null | undefined) {
  const [under, setUnder] = useState(readUnder);
  const images = useImages({
    key: 'launch-images',
    keep: inTab,
    addressOf: (imageId) => api.launchImage(under, imageId),
  });
  const { attached } = images;
  const imageIds = attached.map(({ imageId }) => imageId);
  const untaken = machine && machine.images !== true ? sentenceOfCode('images_unsupported') : null;
  return {
    ...images,
    addressOf: (imageId: string) => api.launchImage(under, imageId),
    /** Why none can be added now. */
    untaken,
    /** Why a launch with these cannot be made now. */
    reason: attached.length === 0 ? null : (untaken ?? reasonOfImages(attached)),
    asked: (): { images?: LaunchImages } =>
      imageIds.length === 0 ? {} : { images: { under: turnId.parse(under), imageIds } },
    launched: () => {
      images.sent(imageIds);
      writeStored(UNDER, null, inTab);
      setUnder(readUnder());
    },
  };
}

export type LaunchImagesHeld = ReturnType<typeof useLaunchImages>;
