import { z } from 'zod';
import { imageId } from './ids.ts';

/** What may come with an instruction, with the ending of its file. A picture that can hold a program is none. */
export const IMAGE_TYPES = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
} as const;
export const imageType = z.enum(Object.keys(IMAGE_TYPES) as [ImageType, ...ImageType[]]);
export type ImageType = keyof typeof IMAGE_TYPES;

/**
 * Largest image, in bytes: base64 makes 5 MiB of it, which is what Anthropic's API takes of one
 * (docs.anthropic.com, Vision).
 */
export const IMAGE_MAX_BYTES = 3_932_160;
/** Most images of one instruction. */
export const IMAGES_MAX = 5;
/** What the images of one instruction may come to, in bytes: an engine’s line of them is echoed and read. */
export const IMAGES_MAX_BYTES = 10 * 1024 * 1024;
/** An image is brought in parts of this size, in bytes; its last part is what is left. */
export const IMAGE_PART_BYTES = 1_048_576;

/** An image of a session, as an instruction names it. */
export const imageRef = z.object({
  imageId,
  type: imageType,
  bytes: z.int().positive().max(IMAGE_MAX_BYTES),
  /** Of its bytes, in hexadecimal: whoever has them can tell that they are the same. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ImageRef = z.infer<typeof imageRef>;

/** Whether two instructions come with the same images, by what they hold. Pure. */
export const areSameImages = (
  one: readonly ImageRef[] = [],
  other: readonly ImageRef[] = [],
): boolean => one.map(({ sha256 }) => sha256).join() === other.map(({ sha256 }) => sha256).join();

export const imagePartQuery = z.object({
  type: imageType,
  /** Of the whole image. */
  bytes: z.coerce.number().int().min(1).max(IMAGE_MAX_BYTES),
  part: z.coerce
    .number()
    .int()
    .min(0)
    .max(Math.ceil(IMAGE_MAX_BYTES / IMAGE_PART_BYTES)),
});
/** What is there of an image; the image itself once that is all of it. */
export const imagePartAdded = z.object({ image: imageRef.nullable() });

/** The length of a part of an image of so many bytes; zero where there is no such part. Pure. */
export const partBytes = (bytes: number, part: number): number =>
  Math.max(0, Math.min(IMAGE_PART_BYTES, bytes - part * IMAGE_PART_BYTES));

/** The kind of image that these bytes begin as; null for anything else. Pure. */
export function sniffImage(bytes: Uint8Array): ImageType | null {
  const begins = (...start: number[]) => start.every((byte, index) => bytes[index] === byte);
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (begins(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (begins(0x47, 0x49, 0x46, 0x38)) return 'image/gif';
  const riff = begins(0x52, 0x49, 0x46, 0x46);
  const webp = String.fromCharCode(...bytes.subarray(8, 12)) === 'WEBP';
  return riff && webp ? 'image/webp' : null;
}
