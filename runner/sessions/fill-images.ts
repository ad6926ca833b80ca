import { readFileSync } from 'node:fs';
import type { ImageSlot } from '../engines/images.ts';

/**
 * The line with its images in their places. One that cannot be read any more is said to the model in
 * words, so that its instruction is not answered as if nothing had been shown.
 */
export function fillImages(line: string, slots: readonly ImageSlot[] = []): string {
  return slots.reduce((filled, { token, path, as }) => {
    const place = JSON.stringify(token);
    // What a person says stands before the images, and might be the very token.
    const at = filled.lastIndexOf(place);
    const shown = JSON.stringify(readBlock(path, as));
    return `${filled.slice(0, at)}${shown}${filled.slice(at + place.length)}`;
  }, line);
}

function readBlock(path: string, as: ImageSlot['as']): unknown {
  try {
    return as(readFileSync(path).toString('base64'));
  } catch {
    return { type: 'text', text: `(The image ${path} could not be read any more.)` };
  }
}
