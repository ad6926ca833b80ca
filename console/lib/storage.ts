import type { z } from 'zod';

const PREFIX = 'pilothouse:';

/**
 * Reads a remembered value. What another version or a person left there in another shape, and
 * storage that is switched off, both read as nothing remembered.
 */
export function readStored<S extends z.ZodType>(key: string, schema: S): z.infer<S> | null {
  try {
    const text = localStorage.getItem(PREFIX + key);
    if (text === null) return null;
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Remembers a value; null forgets it. Returns false when the browser keeps nothing. */
export function writeStored(key: string, value: unknown): boolean {
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify(value));
    return true;
  } catch {
    // Storage is full or switched off: the page works on, it only remembers less.
    return false;
  }
}
