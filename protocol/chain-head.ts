import { z } from 'zod';

/** A link of a session's chain: its number, and the hash that the next one follows from. */
export const chainHead = z.object({ number: z.int().nonnegative(), hash: z.string() });
export type ChainHead = z.infer<typeof chainHead>;
