import { createHash } from 'node:crypto';
import type { Pointer } from '../../../runner/lfs/pointers.ts';

/** What stands for a text in Git LFS. */
export const pointerTo = (text: string): Pointer => ({
  oid: createHash('sha256').update(text).digest('hex'),
  size: Buffer.byteLength(text),
});

/** The file that git has in its place. */
export const pointerText = (text: string): string => textOf(pointerTo(text));

export const textOf = ({ oid, size }: Pointer): string =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;
