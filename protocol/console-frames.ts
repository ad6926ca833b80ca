import { z } from 'zod';
import { feedEntry, textDelta } from './engine-event.ts';
import { presence } from './machine.ts';
import { sessionView } from './session-view.ts';

/** Longest frame that a console sends, in characters. */
export const CONSOLE_FRAME_MAX_CHARS = 4_096;

/** Console → feed. `after` is the last position that the console has; 0 is from the beginning. */
export const consoleFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('subscribe'), after: z.int().nonnegative() }),
]);

/** Feed → console. */
export const feedFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('snapshot'),
    view: sessionView,
    /** The last position stored when the snapshot was taken; entries up to it follow. */
    upTo: z.int().nonnegative(),
    presence,
  }),
  z.object({ type: z.literal('entries'), entries: z.array(feedEntry).min(1) }),
  z.object({ type: z.literal('deltas'), deltas: z.array(textDelta).min(1) }),
  z.object({ type: z.literal('presence'), presence }),
  z.object({ type: z.literal('failed'), code: z.string(), message: z.string() }),
]);
export type FeedFrame = z.infer<typeof feedFrame>;
