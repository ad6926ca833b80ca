import { z } from 'zod';

/** Raised only when an older peer would misread a newer one; everything else is a capability. */
export const PROTOCOL_VERSION = 1;

/** What a peer can do beyond the base protocol. Unknown names from a newer peer are ignored. */
export const CAPABILITIES = [
  'deltas',
  'workspace',
  'toolOutput',
  'doctor',
  'checkouts',
  // The guard as a witness, and `conversation_lost` of an engine.
  'guard',
] as const;
type Capability = (typeof CAPABILITIES)[number];

/** Whether a peer said that it can do this. */
export const isCapable = (capabilities: readonly string[], of: Capability): boolean =>
  capabilities.includes(of);

/**
 * Why a connection is refused or ended: a closed list, each with its WebSocket close code
 * (4000–4999 is the range left to applications by RFC 6455, section 7.4.2) and whether
 * connecting again by itself can help.
 */
export const REFUSALS = {
  runner_too_old: { closeCode: 4001, reconnect: false },
  server_too_old: { closeCode: 4002, reconnect: false },
  unauthorized: { closeCode: 4003, reconnect: false },
  revoked: { closeCode: 4004, reconnect: false },
  replaced: { closeCode: 4005, reconnect: false },
  protocol_error: { closeCode: 4006, reconnect: true },
} as const;

export type RefusalReason = keyof typeof REFUSALS;
export const refusalReason = z.enum(Object.keys(REFUSALS) as [RefusalReason, ...RefusalReason[]]);

/** Decides whether two peers can talk: they must speak the same integer version. */
export function decideVersion(runnerVersion: number): RefusalReason | null {
  if (runnerVersion < PROTOCOL_VERSION) return 'runner_too_old';
  if (runnerVersion > PROTOCOL_VERSION) return 'server_too_old';
  return null;
}

/** The refusal that a WebSocket close code stands for, or null for an ordinary close. */
export function refusalOfCloseCode(closeCode: number): RefusalReason | null {
  const found = Object.entries(REFUSALS).find(([, refusal]) => refusal.closeCode === closeCode);
  return found ? (found[0] as RefusalReason) : null;
}
