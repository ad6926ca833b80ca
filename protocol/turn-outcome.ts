import { z } from 'zod';

/** What a turn came to. */
export const turnOutcome = z.enum(['ok', 'failed', 'killed', 'interrupted', 'unknown']);
export type TurnOutcome = z.infer<typeof turnOutcome>;
