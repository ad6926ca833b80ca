import type { SessionId } from '../../protocol/ids.ts';
import { newId } from '../lib/crypto.ts';
import type { Maker } from './feed-decisions.ts';

/** The clock's time now, and fresh ids, for what one decision makes. */
export function makerOf(sessionId: SessionId): Maker {
  const nowMs = Date.now();
  return {
    sessionId,
    nowMs,
    commandId: () => newId('cmd', nowMs),
    launchId: () => newId('lau', nowMs),
  };
}
