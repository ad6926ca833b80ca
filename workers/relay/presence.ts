import { decidePresence, OFFLINE_AFTER_MS, type Presence } from '../../protocol/machine.ts';

export type LinkFacts = {
  /** There is a socket on which the runner has introduced itself. */
  connected: boolean;
  /** The last word on it: a frame, or a heartbeat that the platform answered. */
  lastHeardAt: number | null;
  /** The storage says connected: nobody saw the link end. */
  believedConnected: boolean;
  /** When this object last began. */
  bootedAt: number;
};

/**
 * Decides a runner's presence. A link that nobody saw end, and that is not there any more, went
 * down with the cloud: until the runner has had time to come back, nobody knows.
 */
export function decideRunnerPresence(facts: LinkFacts, nowMs: number): Presence {
  if (facts.connected) return decidePresence(facts.lastHeardAt, true, nowMs);
  if (facts.believedConnected && nowMs - facts.bootedAt <= OFFLINE_AFTER_MS) return 'unknown';
  return 'offline';
}
