import type { z } from 'zod';

const PREFIX = 'pilothouse:';

/** Where something is remembered: asked anew each time, because asking fails where it is off. */
type Keep = () => Storage;
const inBrowser: Keep = () => localStorage;
/** For this tab alone, across reloads. */
export const inTab: Keep = () => sessionStorage;

/**
 * Reads a remembered value. What another version or a person left there in another shape, and
 * storage that is switched off, both read as nothing remembered.
 */
export function readStored<S extends z.ZodType>(
  key: string,
  schema: S,
  keep: Keep = inBrowser,
): z.infer<S> | null {
  try {
    const text = keep().getItem(PREFIX + key);
    if (text === null) return null;
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Remembers a value; null forgets it. Returns false when the browser keeps nothing. */
export function writeStored(key: string, value: unknown, keep: Keep = inBrowser): boolean {
  try {
    if (value === null) keep().removeItem(PREFIX + key);
    else keep().setItem(PREFIX + key, JSON.stringify(value));
    return true;
  } catch {
    // Storage is full or switched off: the page works on, it only remembers less.
    return false;
  }
}
