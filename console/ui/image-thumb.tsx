import type { ImageRef } from '../../protocol/image.ts';
import { api } from '../paths.ts';

/** An image of a session, small; the whole of it opens in a tab of its own. */
export function ImageThumb({
  sessionId,
  image,
  name,
}: {
  sessionId: string;
  image: ImageRef;
  name: string;
}) {
  const address = api.image(sessionId, image.imageId);
  return (
    <a href={address} target="_blank" rel="noreferrer" className="block size-20 shrink-0">
      <img
        src={address}
        alt={name}
        title={name}
        loading="lazy"
        decoding="async"
        width={80}
        height={80}
        className="size-20 rounded-md border object-cover"
      />
    </a>
  );
}
