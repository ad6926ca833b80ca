import { describe, expect, it } from 'vitest';
import { type Digest, hasNews, sayDigest } from '../../protocol/digest.ts';
import { addUsage, type UsageEntry } from '../../protocol/usage.ts';

const none = { count: 0, items: [] };
const aDigest = (over: Partial<Digest> = {}): Digest => ({
  from: 1,
  to: 2,
  finished: none,
  failed: none,
  spend: {},
  unmeteredDrives: 0,
  acts: [],
  breaches: 0,
  waiting: none,
  calls: 0,
  ...over,
});
const entry = (over: Partial<UsageEntry>): UsageEntry => ({
  model: 'm',
  provenance: 'reported',
  payer: 'api-key',
  inputTokens: 1,
  outputTokens: 1,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  microUsd: 1_200_000,
  ...over,
});

describe('a digest', () => {
  it('says each kind of figure apart, and no sum of them', () => {
    const spend = addUsage(
      addUsage({}, entry({})),
      entry({ provenance: 'estimated', microUsd: 400_000 }),
    );
    const told = aDigest({
      finished: { count: 3, items: [] },
      failed: { count: 1, items: [] },
      spend,
      acts: [{ kind: 'push', count: 2 }],
      breaches: 1,
      waiting: { count: 1, items: [] },
      calls: 1,
    });
    const said = sayDigest(told);
    expect(said).toMatch(/^3 sessions finished; 1 session failed; spent .*\$1\.20.* \+ .*\$0\.40/);
    expect(said).not.toContain('1.60');
    expect(said).toContain('2 acts that count; 1 breach; 2 wait for you.');
    expect(hasNews(told)).toBe(true);
  });

  it('that has nothing to say says so', () => {
    expect(hasNews(aDigest())).toBe(false);
    expect(sayDigest(aDigest())).toBe('Nothing happened.');
  });

  it.each([
    [{ calls: 1 }, '1 waits for you.'],
    [{ unmeteredDrives: 2 }, '2 unmetered writes by operators.'],
    [{ acts: [{ kind: 'push' as const, count: 1 }] }, '1 act that counts.'],
  ])('with %j says %s', (over, said) => {
    expect(hasNews(aDigest(over))).toBe(true);
    expect(sayDigest(aDigest(over))).toBe(said);
  });
});
