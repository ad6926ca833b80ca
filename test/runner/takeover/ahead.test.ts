import { describe, expect, test } from 'vitest';
import { PENDING_INPUT_BYTES } from '../../../protocol/terminal-frames.ts';
import { AheadOfLease } from '../../../runner/takeover/ahead.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = (keys: readonly Uint8Array[]) =>
  keys.map((each) => new TextDecoder().decode(each)).join('');

describe('keys that are ahead of their lease', () => {
  test('wait for it, in order', () => {
    const ahead = new AheadOfLease();
    ahead.hold(3, bytes('mi'));
    ahead.hold(3, bytes('ne'));
    expect(ahead.take(2)).toEqual([]);
    expect(textOf(ahead.take(3))).toBe('mine');
    expect(ahead.take(3)).toEqual([]);
  });

  test('of a lease that was passed over are nobody’s', () => {
    const ahead = new AheadOfLease();
    ahead.hold(3, bytes('old'));
    ahead.hold(4, bytes('new'));
    expect(textOf(ahead.take(4))).toBe('new');
    expect(ahead.take(3)).toEqual([]);
  });

  test('are kept as they came, whatever becomes of the frame', () => {
    const ahead = new AheadOfLease();
    const frame = bytes('mine');
    ahead.hold(3, frame);
    frame.fill(0);
    expect(textOf(ahead.take(3))).toBe('mine');
  });

  test('are refused, all or none, above the bound', () => {
    const ahead = new AheadOfLease();
    const most = new Uint8Array(PENDING_INPUT_BYTES);
    expect(ahead.hold(3, most)).toBe(0);
    expect(ahead.hold(3, bytes('x'))).toBe(1);
    ahead.clear();
    expect(ahead.hold(3, bytes('x'))).toBe(0);
  });
});
