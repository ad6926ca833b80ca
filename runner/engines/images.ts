import { pathToFileURL } from 'node:url';
import type { ImageType } from '../../protocol/image.ts';

/** An image of an instruction, as a file that the engine may read. */
export type TurnImage = { path: string; type: ImageType };

/**
 * The place of an image in a line to the engine: the line holds `token` as a string, and what `as`
 * makes of the image's base64 stands there when the line is written. So no state of a parser ever
 * holds megabytes.
 */
export type ImageSlot = { token: string; path: string; as(base64: string): unknown };

/** A slot for an image, whose token no two images of a line share. */
export const imageSlot = ({ path }: TurnImage, as: (base64: string) => unknown): ImageSlot => ({
  token: `pilothouse-image:${pathToFileURL(path).href}`,
  path,
  as,
});

/** The instruction with its images named by their paths, for an engine that has no place for them. */
export function namingImages(text: string, images: readonly TurnImage[] = []): string {
  if (images.length === 0) return text;
  const lines = images.map(({ path }) => `- ${path}`);
  return `${text}\n\nThe instruction comes with ${images.length === 1 ? 'this image' : 'these images'}:\n${lines.join('\n')}`;
}
