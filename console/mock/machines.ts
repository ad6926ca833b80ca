import type { RunnerSummary } from '../../protocol/http.ts';
import { runnerId } from '../../protocol/ids.ts';
import { makePairingRequest, type MadePairing } from '../../protocol/pairing.ts';

/** The code of the stand-in, so that it is found wherever it is shown. */
export const PAIRING_CODE = 'SENT-1NE1-C0DE';
/** The machine that a code of the stand-in lets in, where it is for no known one. */
export const PAIRED_RUNNER = runnerId.parse('run_paired');
const VALID_MS = 600_000;

/** Answers who asks for a code. */
export const mockPairing = (body: unknown, nowMs: number): MadePairing => ({
  code: PAIRING_CODE,
  runnerId: makePairingRequest.parse(body).runnerId ?? PAIRED_RUNNER,
  expiresAt: nowMs + VALID_MS,
});

/** A machine whose access was taken back. */
export const revokedOf = (runner: RunnerSummary, nowMs: number): RunnerSummary => ({
  ...runner,
  presence: 'offline',
  revokedAt: nowMs,
});
