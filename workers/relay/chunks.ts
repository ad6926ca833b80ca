import type { FeedEntry } from '../../protocol/engine-event.ts';

/** Consecutive entries encoded once: what is stored, replayed and sent to viewers is this text. */
export type Chunk = { first: number; last: number; text: string };

/** Bounds of one chunk: a viewer's frame, and what one read has to parse. */
export const CHUNK_MAX_ENTRIES = 256;
export const CHUNK_MAX_CHARS = 256 * 1024;

/** Encodes entries as chunks, in order; an entry larger than the bound is a chunk of its own. */
export function encodeChunks(entries: readonly FeedEntry[]): Chunk[] {
  const chunks: Chunk[] = [];
  let texts: string[] = [];
  let chars = 0;
  let first = 0;
  const close = (last: number): void => {
    if (texts.length > 0) chunks.push({ first, last, text: `[${texts.join(',')}]` });
    texts = [];
    chars = 0;
  };
  for (const entry of entries) {
    const text = JSON.stringify(entry);
    if (texts.length >= CHUNK_MAX_ENTRIES || chars + text.length > CHUNK_MAX_CHARS)
      close(entry.position - 1);
    if (texts.length === 0) first = entry.position;
    texts.push(text);
    chars += text.length;
  }
  const last = entries.at(-1);
  if (last) close(last.position);
  return chunks;
}

/** The entries of a chunk: written by {@link encodeChunks} from parsed events, so not parsed again. */
export function decodeChunk(chunk: Chunk): FeedEntry[] {
  return JSON.parse(chunk.text) as FeedEntry[];
}

/** What of a chunk lies after a cursor, as JSON text. */
export function textAfter(chunk: Chunk, after: number): string {
  if (after < chunk.first) return chunk.text;
  return JSON.stringify(decodeChunk(chunk).filter((entry) => entry.position > after));
}

/**
 * Cuts a text into rows that SQLite accepts (2 MB each on Cloudflare), never inside a surrogate
 * pair: half a pair would be stored as a replacement character.
 */
export function splitText(text: string, maxChars: number): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + maxChars, text.length);
    const code = text.charCodeAt(end - 1);
    if (end < text.length && end - start > 1 && code >= 0xd800 && code <= 0xdbff) end -= 1;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts.length > 0 ? parts : [''];
}
