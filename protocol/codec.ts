import type { z } from 'zod';

export type Parsed<T> =
  | { kind: 'valid'; value: T }
  /** A message of a newer peer: well formed, of a type that this end does not know. */
  | { kind: 'unknown'; type: string }
  | { kind: 'invalid'; reason: string };

/**
 * Parses one frame at ingress. An unknown `type` is told apart from a malformed frame, because
 * the first is a newer peer and may be ignored, the second is a fault and ends the connection.
 * A text longer than `maxChars` is not looked into.
 */
export function parseFrame<S extends z.ZodType>(
  schema: S,
  text: string | ArrayBuffer,
  maxChars = Infinity,
): Parsed<z.infer<S>> {
  if (typeof text !== 'string') return { kind: 'invalid', reason: 'bytes, where text belongs' };
  if (text.length > maxChars)
    return { kind: 'invalid', reason: `longer than ${maxChars} characters` };
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return { kind: 'invalid', reason: 'not JSON' };
  }
  const result = schema.safeParse(raw);
  if (result.success) return { kind: 'valid', value: result.data };
  const issue = result.error.issues[0];
  const type = typeOf(raw);
  if (type !== null && issue?.code === 'invalid_union' && issue.path.join('.') === 'type') {
    return { kind: 'unknown', type };
  }
  return {
    kind: 'invalid',
    reason: `${issue?.path.join('.') || 'frame'}: ${issue?.message ?? 'malformed'}`,
  };
}

/** Writes a frame whose shape the compiler has checked. */
export function encodeFrame(frame: { type: string; [field: string]: unknown }): string {
  return JSON.stringify(frame);
}

function typeOf(raw: unknown): string | null {
  if (typeof raw !== 'object' || raw === null || !('type' in raw)) return null;
  return typeof raw.type === 'string' ? raw.type : null;
}
