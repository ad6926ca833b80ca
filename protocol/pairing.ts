import { z } from 'zod';
import { runnerId } from './ids.ts';

/** Letters that nobody takes for another one when a code is read off a screen (Crockford’s base 32). */
export const PAIRING_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Letters of a code: 60 bits, which in the ten minutes that it is good for nobody guesses. */
export const PAIRING_LETTERS = 12;

/** A code as it is read and typed: `K7QF-2MXD-9PRT`. */
export const groupPairingCode = (letters: string): string =>
  (letters.match(/.{1,4}/g) ?? []).join('-');

/** The letters of a code as somebody typed it: in any case, with I and L for 1 and O for 0. */
export const parsePairingCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll(/[IL]/g, '1')
    .replaceAll('O', '0');

/** Asks for a code: for a new machine, or for one that is known and may come again. */
export const makePairingRequest = z.object({ runnerId: runnerId.optional() });
/** A code, the machine that it lets in, and when it stops working (Unix ms). */
export const madePairing = z.object({ code: z.string(), runnerId, expiresAt: z.int() });
export type MadePairing = z.infer<typeof madePairing>;

/** A code that was not used yet and works until it expires (Unix ms): whom it lets in, never itself. */
export const openPairing = z.object({
  runnerId,
  /** The name of a machine that may come again with it; null where it is for a new one. */
  machine: z.string().nullable(),
  madeAt: z.int(),
  expiresAt: z.int(),
});
export const openPairings = z.object({ items: z.array(openPairing) });
export type OpenPairing = z.infer<typeof openPairing>;

/** What a machine brings: the code, its name, and whom its directory is paired as already. */
export const claimPairingRequest = z.object({
  code: z.string().min(1).max(100),
  name: z.string().min(1).max(100),
  runnerId: runnerId.nullable().default(null),
});
export const claimedPairing = z.object({ runnerId, token: z.string() });

/** How many sessions were ended with the access of their machine. */
export const revokedRunner = z.object({ sessions: z.int().nonnegative() });
export type RevokedRunner = z.infer<typeof revokedRunner>;
