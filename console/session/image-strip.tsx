import { ImagePlus, X } from 'lucide-react';
import { useRef } from 'react';
import type { ImageId } from '../../protocol/ids.ts';
import { IMAGE_TYPES, IMAGES_MAX } from '../../protocol/image.ts';
import { Button } from '../ui/button.tsx';
import { ImageThumb } from '../ui/image-thumb.tsx';
import { Words } from '../ui/words.tsx';
import type { Attached, ImagePlace } from './use-images.ts';

/** What goes with the next instruction, each to be taken back. */
export function ImageStrip({
  addressOf,
  attached,
  remove,
}: {
  addressOf: ImagePlace['addressOf'];
  attached: readonly Attached[];
  remove: (imageId: ImageId) => void;
}) {
  if (attached.length === 0) return null;
  return (
    <ul aria-label="Images of this instruction" className="flex flex-wrap gap-2 px-3 pt-2">
      {attached.map(({ imageId, name, image, failure }) => (
        <li key={imageId} className="relative">
          {image ? (
            <ImageThumb address={addressOf(imageId)} name={name} />
          ) : (
            <div
              role={failure === null ? 'status' : 'alert'}
              className="size-20 overflow-hidden rounded-md border border-dashed p-1 text-xs text-soft"
            >
              {failure === null ? `${name} is on its way` : <Words text={failure} />}
            </div>
          )}
          <button
            type="button"
            aria-label={`Remove ${name}`}
            onClick={() => remove(imageId)}
            className="absolute -top-1.5 -right-1.5 grid size-6 place-items-center rounded-full border bg-paper text-soft hover:text-ink max-md:size-8"
          >
            <X />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Chooses images from this device, or says why none can go with an instruction. */
export function AddImages({
  add,
  count,
  reason,
}: {
  add: (files: readonly File[]) => void;
  count: number;
  reason: string | null;
}) {
  const input = useRef<HTMLInputElement>(null);
  const full =
    count >= IMAGES_MAX ? `An instruction comes with ${IMAGES_MAX} images at most.` : null;
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={Object.keys(IMAGE_TYPES).join(',')}
        onChange={({ target }) => {
          add([...(target.files ?? [])]);
          // The same file may be chosen again after it was removed.
          target.value = '';
        }}
      />
      <Button
        kind="quiet"
        aria-label="Add images"
        title="Add images: PNG, JPEG, GIF, WebP. They can be pasted and dropped, too."
        className="m-1"
        reason={reason ?? full}
        onClick={() => input.current?.click()}
      >
        <ImagePlus />
      </Button>
    </>
  );
}
