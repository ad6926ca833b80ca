import { z } from 'zod';

/** What survives on a viewer's socket while its feed sleeps. */
export const viewerAttachment = z.object({
  /** The last position sent; null before the viewer subscribed. */
  cursor: z.int().nonnegative().nullable(),
  /** It has everything stored and follows live; otherwise paging is still under way. */
  caughtUp: z.boolean(),
});
export type ViewerAttachment = z.infer<typeof viewerAttachment>;

/** What survives on a runner's socket while its relay sleeps. */
export const runnerAttachment = z.object({
  /** `opened`: nothing said yet. `initialized`: the runner's one live link. `ended`: told to go. */
  state: z.enum(['opened', 'initialized', 'ended']),
  /** When it last said something that woke the object; heartbeats are known to the platform. */
  heardAt: z.int(),
});
export type RunnerAttachment = z.infer<typeof runnerAttachment>;

/** Reads a socket's attachment; one that is not ours is as good as none. */
export function readAttachment<S extends z.ZodType>(
  socket: WebSocket,
  schema: S,
): z.infer<S> | null {
  const parsed = schema.safeParse(socket.deserializeAttachment());
  return parsed.success ? parsed.data : null;
}

export function writeAttachment(
  socket: WebSocket,
  attachment: ViewerAttachment | RunnerAttachment,
): void {
  socket.serializeAttachment(attachment);
}
