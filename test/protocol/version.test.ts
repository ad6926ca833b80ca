import { describe, expect, it } from 'vitest';
import {
  PROTOCOL_VERSION,
  REFUSALS,
  decideVersion,
  refusalOfCloseCode,
} from '../../protocol/version.ts';
import { decidePresence, OFFLINE_AFTER_MS } from '../../protocol/machine.ts';

describe('version', () => {
  it('accepts its equal and says which side is old otherwise', () => {
    expect(decideVersion(PROTOCOL_VERSION)).toBeNull();
    expect(decideVersion(PROTOCOL_VERSION - 1)).toBe('runner_too_old');
    expect(decideVersion(PROTOCOL_VERSION + 1)).toBe('server_too_old');
  });
  it('gives each refusal a close code of its own, in the range left to applications', () => {
    const codes = Object.values(REFUSALS).map((refusal) => refusal.closeCode);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code >= 4000 && code <= 4999).toBe(true);
  });
  it('reads a refusal back from its close code', () => {
    expect(refusalOfCloseCode(4005)).toBe('replaced');
    expect(refusalOfCloseCode(1006)).toBeNull();
  });
});

describe('presence', () => {
  it('is unknown until the first word after a restart', () => {
    expect(decidePresence(null, true, 0)).toBe('unknown');
  });
  it('is offline when a link that looks open has been silent too long', () => {
    expect(decidePresence(0, true, OFFLINE_AFTER_MS)).toBe('online');
    expect(decidePresence(0, true, OFFLINE_AFTER_MS + 1)).toBe('offline');
  });
  it('is offline without a link', () => {
    expect(decidePresence(null, false, 0)).toBe('offline');
    expect(decidePresence(5, false, 6)).toBe('offline');
  });
});
