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

/**
 * Keeps facts on the socket itself: they are there again when the object wakes.
 */
export function writeAttachment(
  socket: WebSocket,
  attachment: ViewerAttachment | RunnerAttachment,
): void {
  socket.serializeAttachment(attachment);
}

/** The runner's socket that has introduced itself; null where none has. */
export const findIntroduced = (sockets: readonly WebSocket[]): WebSocket | null =>
  sockets.find((socket) => readAttachment(socket, runnerAttachment)?.state === 'initialized') ??
  null;

/**
 * Answers a peer's close frame, without which the peer waits for its own time-out. Codes that only
 * the platform may use (1005, 1006, 1015; RFC 6455, section 7.4.1) are answered as a normal end.
 */
export function answerClose(socket: WebSocket, code: number): void {
  const sendable = code === 1000 || (code >= 3000 && code <= 4999);
  try {
    socket.close(sendable ? code : 1000);
  } catch {
    // The connection is gone already: there is nobody left to answer.
  }
}
