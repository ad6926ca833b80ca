import { z } from 'zod';

/** A link of a session's chain: its number, and the hash that the next one follows from. */
export const chainHead = z.object({ number: z.int().nonnegative(), hash: z.string() });
export type ChainHead = z.infer<typeof chainHead>;

/** Where a session's chain ends as the session itself knows it; null before its first link. */
export type ChainEnds = {
  /** The last link that the database has for certain: it may hold more, never less. */
  settled: ChainHead | null;
  /** The last link that was ever made: what the database holds beyond it, somebody else wrote. */
  begun: ChainHead | null;
};
