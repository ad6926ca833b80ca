import { join } from 'node:path';

/** Where the gate keeps what outlives it, below its own directory. */
export const portPath = (root: string): string => join(root, 'port');
export const keyPath = (root: string): string => join(root, 'key');
export const journalPath = (root: string, sessionId: string): string =>
  join(root, `${sessionId}.calls`);
