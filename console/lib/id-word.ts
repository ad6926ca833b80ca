import { z } from 'zod';

/** A word of an address that can be such an id, for pages whose links have it as plain text. */
export const idWord = (id: z.ZodType) =>
  z.string().refine((word) => id.safeParse(word).success, 'it cannot be an id');
