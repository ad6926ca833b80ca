import { createHmac } from 'node:crypto';

/** What a session has in the place of a key: good for its own calls on this machine, and nothing else. */
export const placeholderOf = (key: Buffer, sessionId: string): string =>
  `pilothouse-${createHmac('sha256', key).update(`model ${sessionId}`).digest('hex').slice(0, 40)}`;
