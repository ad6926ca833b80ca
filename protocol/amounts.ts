import { z } from 'zod';
import type { SessionLimits } from './launch.ts';

const TIMES = { '': 1, k: 1_000, m: 1_000_000 } as const;
const scale = z.enum(['', 'k', 'm']);
const COUNT_MAX = 1_000_000_000_000;
const MINUTE_MS = 60_000;

/** Tokens as a person types them (`500000`, `500k`, `2.5M`); null for anything else. */
export function parseTokens(text: string): number | null {
  const match = /^(\d{1,12}(?:\.\d{1,6})?)\s*([km]?)$/.exec(text.trim().toLowerCase());
  const by = scale.safeParse(match?.[2]);
  if (!match || !by.success) return null;
  const tokens = Math.round(Number(match[1]) * TIMES[by.data]);
  return tokens > 0 && tokens <= COUNT_MAX ? tokens : null;
}

/** A count of turns as a person types it; null for anything else. */
export function parseTurns(text: string): number | null {
  const turns = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  return turns > 0 ? turns : null;
}

/** Minutes of work as a person types them (`90`, `0.5`), in ms; null for anything else. */
export function parseWorkMinutes(text: string): number | null {
  const typed = text.trim();
  const ms = /^\d{1,6}(\.\d{1,3})?$/.test(typed) ? Math.round(Number(typed) * MINUTE_MS) : 0;
  return ms >= 1_000 ? ms : null;
}

/** Limits with others said over them: what nobody said stays as it was; null where there is none. */
export function limitsOver(
  before: SessionLimits | null | undefined,
  said: { [Kind in keyof SessionLimits]?: SessionLimits[Kind] | undefined },
): SessionLimits | null {
  return limitsOf({
    tokens: said.tokens ?? before?.tokens,
    turns: said.turns ?? before?.turns,
    timeMs: said.timeMs ?? before?.timeMs,
  });
}

/** The limits of a session beside dollars; null where there is none of any kind. */
export function limitsOf(given: {
  tokens?: number | null | undefined;
  turns?: number | null | undefined;
  timeMs?: number | null | undefined;
}): SessionLimits | null {
  const { tokens = null, turns = null, timeMs = null } = given;
  return tokens === null && turns === null && timeMs === null ? null : { tokens, turns, timeMs };
}
