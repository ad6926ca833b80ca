import type { RunnerSummary } from '../../protocol/http.ts';
import { runnerId } from '../../protocol/ids.ts';
import { makePairingRequest, type MadePairing, type OpenPairing } from '../../protocol/pairing.ts';

/** The code of the stand-in, so that it is found wherever it is shown. */
export const PAIRING_CODE = 'SENT-1NE1-C0DE';
/** The machine that a code of the stand-in lets in, where it is for no known one. */
export const PAIRED_RUNNER = runnerId.parse('run_paired');
const VALID_MS = 600_000;

/** Codes of the stand-in that wait to be used. */
export class MockPairings {
  open: OpenPairing[] = [];

  /** Answers who asks for a code. */
  make(body: unknown, runners: readonly RunnerSummary[], nowMs: number): MadePairing {
    const id = makePairingRequest.parse(body).runnerId ?? PAIRED_RUNNER;
    const machine = runners.find((each) => each.runnerId === id)?.name ?? null;
    const expiresAt = nowMs + VALID_MS;
    this.withdraw(id);
    this.open.unshift({ runnerId: id, machine, madeAt: nowMs, expiresAt });
    return { code: PAIRING_CODE, runnerId: id, expiresAt };
  }

  /** Says whether a code waited for this machine. */
  withdraw(id: string): boolean {
    const before = this.open.length;
    this.open = this.open.filter((each) => each.runnerId !== id);
    return this.open.length < before;
  }
}

/** A machine whose access was taken back. */
export const revokedOf = (runner: RunnerSummary, nowMs: number): RunnerSummary => ({
  ...runner,
  presence: 'offline',
  revokedAt: nowMs,
});
