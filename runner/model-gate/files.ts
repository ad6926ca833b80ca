import { join } from 'node:path';

/** Where the gate keeps what it saw of a session, below its own directory. */
export const journalPath = (root: string, sessionId: string): string =>
  join(root, `${sessionId}.calls`);
