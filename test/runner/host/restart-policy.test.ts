import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRestart } from '../../../runner/host/restart-policy.ts';

describe('starting a process again that ended by itself', () => {
  it('waits a quarter of a second the first time, then twice as long each time', () => {
    const first = decideRestart(0, 100);
    const second = decideRestart(first.failures, 100);
    expect([first.delayMs, second.delayMs]).toEqual([250, 500]);
  });

  it('begins again after a minute of running well', () => {
    expect(decideRestart(9, 60_000)).toEqual({ failures: 1, delayMs: 250 });
  });

  it('never waits longer than half a minute, nor shorter than before', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(59_999), (failures, ranForMs) => {
        const decision = decideRestart(failures, ranForMs);
        expect(decision.delayMs).toBeLessThanOrEqual(30_000);
        expect(decision.delayMs).toBeGreaterThanOrEqual(
          decideRestart(Math.max(0, failures - 1), ranForMs).delayMs,
        );
      }),
    );
  });
});
