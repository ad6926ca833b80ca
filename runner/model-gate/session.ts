import { z } from 'zod';
import { anthropic } from './anthropic.ts';
import { gemini } from './gemini.ts';
import { openai } from './openai.ts';
import type { Protocol, ProtocolId } from './protocol.ts';

/** What the runner tells the gate of a session: where its calls go, with which key, and how far. */
export const gatedSession = z.object({
  protocol: z.enum(['anthropic', 'openai', 'gemini']),
  upstream: z.url(),
  /** Secret: sent with each call, and told to nobody. */
  headers: z.record(z.string(), z.string()),
  /** Everything that all its calls may come to, in micro-USD; null is no limit. */
  grantMicroUsd: z.int().nonnegative().nullable(),
});
export type GatedSession = z.infer<typeof gatedSession>;

export const PROTOCOLS: Readonly<Record<ProtocolId, Protocol>> = { anthropic, openai, gemini };
