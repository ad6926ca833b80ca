import { z } from 'zod';

export const tcpPort = z.int().min(1).max(65_535);

/** A port that a process of a session listens on. */
export const previewPort = z.object({
  port: tcpPort,
  /** What the program is called that listens; it chose that name itself. */
  program: z.string(),
  /** It is in a network of the session's own, which nothing else reaches. */
  ownNetwork: z.boolean(),
});
export type PreviewPort = z.infer<typeof previewPort>;

/** By port, the lowest first. */
export const previewList = z.object({ items: z.array(previewPort) });
export type PreviewList = z.infer<typeof previewList>;

export const previewRequest = z.object({ port: tcpPort });
export type PreviewRequest = z.infer<typeof previewRequest>;

/** The names of loopback alone: whatever else a machine would have a browser open is no preview. */
const LOOPBACK = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export const previewOpened = z.object({
  port: tcpPort,
  /** On the loopback of the session's machine: a browser elsewhere does not reach it. A secret. */
  url: z.url({ protocol: /^http$/, hostname: LOOPBACK }),
});
export type PreviewOpened = z.infer<typeof previewOpened>;
