import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrame, parseFrame } from '../../protocol/codec.ts';
import { relayFrame, runnerFrame } from '../../protocol/runner-frames.ts';

describe('a frame', () => {
  it('that is well formed is typed', () => {
    const text = encodeFrame({ type: 'ack', cursors: [{ sessionId: 'ses_a', upTo: 3 }] });
    expect(parseFrame(relayFrame, text)).toMatchObject({ kind: 'valid', value: { type: 'ack' } });
  });
  it('of a type from the future is unknown, not invalid', () => {
    expect(parseFrame(relayFrame, '{"type":"hologram"}')).toEqual({
      kind: 'unknown',
      type: 'hologram',
    });
  });
  it('of a known type with a wrong field is invalid and names the field', () => {
    const parsed = parseFrame(relayFrame, '{"type":"ack","cursors":[{"sessionId":"x","upTo":3}]}');
    expect(parsed).toMatchObject({ kind: 'invalid' });
    expect(parsed.kind === 'invalid' && parsed.reason).toContain('cursors.0.sessionId');
  });
  it('with an event from the future inside is invalid: an event must never be skipped', () => {
    const text = JSON.stringify({
      type: 'events',
      events: [{ sessionId: 'ses_a', seq: 1, at: 1, event: { type: 'x/y' } }],
    });
    expect(parseFrame(runnerFrame, text).kind).toBe('invalid');
  });
  it('of arbitrary bytes never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(['valid', 'invalid', 'unknown']).toContain(parseFrame(runnerFrame, text).kind);
      }),
    );
  });
});
