import { z } from 'zod';
import { readStored, writeStored } from '../lib/storage.ts';

const keyOf = (sessionId: string): string => `say:${sessionId}`;
const hearers = new Map<string, Set<(text: string) => void>>();

/** What was typed for a session, or for the agent of an instance, and not sent. */
export const readDraft = (sessionId: string): string =>
  readStored(keyOf(sessionId), z.string()) ?? '';

export const keepDraft = (sessionId: string, text: string): void =>
  void writeStored(keyOf(sessionId), text === '' ? null : text);

/** What is left of what is typed, once `sent` is sent: what was typed on meanwhile. */
export const withoutSent = (now: string, sent: string): string =>
  now.startsWith(sent) ? now.slice(sent.length).trimStart() : now;

/** Tells what other parts of the page add to what is typed. Returns how to stop. */
export function hearDraft(sessionId: string, hear: (text: string) => void): () => void {
  const all = hearers.get(sessionId) ?? new Set();
  hearers.set(sessionId, all.add(hear));
  return () => {
    all.delete(hear);
    if (all.size === 0) hearers.delete(sessionId);
  };
}

/** Adds a line to what is typed for a session, and puts the person there to go on. */
export function addToDraft(sessionId: string, line: string): void {
  const before = readDraft(sessionId).trimEnd();
  const text = before === '' ? line : `${before}\n${line}`;
  keepDraft(sessionId, text);
  for (const hear of hearers.get(sessionId) ?? []) hear(text);
}
