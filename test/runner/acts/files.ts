import type { Look, Seen } from '../../../runner/acts/sight.ts';

/** A file that holds this and no more. */
export const holding = (text: string): Seen => ({ text, whole: true });

/** A directory with these files alone. */
export const lookAt =
  (files: Readonly<Record<string, string>>): Look =>
  (path) =>
    Object.hasOwn(files, path) ? holding(files[path] ?? '') : null;
