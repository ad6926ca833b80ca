import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeId, runnerId, sessionId } from '../../protocol/ids.ts';

const bytes = fc.uint8Array({ minLength: 12, maxLength: 12 });
const time = fc.integer({ min: 0, max: 4_102_444_800_000 });

describe('ids', () => {
  it('are accepted by the schema of their own prefix and of no other', () => {
    const id = makeId('ses', 1_700_000_000_000, new Uint8Array(12));
    expect(sessionId.safeParse(id).success).toBe(true);
    expect(runnerId.safeParse(id).success).toBe(false);
  });

  it('sort by the time they were made', () => {
    fc.assert(
      fc.property(time, time, bytes, bytes, (a, b, chanceA, chanceB) => {
        fc.pre(a < b);
        expect(makeId('trn', a, chanceA) < makeId('trn', b, chanceB)).toBe(true);
      }),
    );
  });

  it('differ when chance differs', () => {
    const one = makeId('act', 5, new Uint8Array(12).fill(1));
    const two = makeId('act', 5, new Uint8Array(12).fill(2));
    expect(one).not.toBe(two);
  });

  it.each(['', 'ses_', 'ses-abc', 'ses_ABC', 'ses_a b', `ses_${'a'.repeat(41)}`, '../ses_a'])(
    'refuse %j',
    (text) => {
      expect(sessionId.safeParse(text).success).toBe(false);
    },
  );
});
